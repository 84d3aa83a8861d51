/** What tokens with a scope must not reach. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let member: string;
let project: string;
let projects = 0;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn' });
});
afterAll(() => service.remove());
beforeEach(async () => {
  project = `attacked-${++projects}`;
  member = await service.token(project, 'member');
});

const ask = (token: string, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
  service.request(method, path, { token, headers, ...(body === undefined ? {} : { body }) });

async function scoped(scope: object, by = member): Promise<string> {
  const { status, json } = await ask(by, 'POST', '/v2/tokens', { scope });
  expect(status, JSON.stringify(json)).toBe(201);
  return json.token;
}

async function zone(name: string): Promise<string> {
  const { status, json } = await ask(member, 'POST', '/v2/zones', { name, email: 'a@example.org' });
  expect(status, JSON.stringify(json)).toBe(202);
  return json.id;
}

const told = ({ status, json, headers }: Answer) => [
  status,
  json?.type,
  /: (\w+)\./.exec(headers.get('www-authenticate') ?? '')?.[1],
];
const record = (name: string) => ({ name, type: 'A', records: ['192.0.2.1'] });

describe('a scope with names or types', () => {
  it.each([
    ['names', { names: ['_acme-challenge.**'] }],
    ['types', { types: ['TXT'] }],
    ['names', { names: ['www'], actions: ['create_zone', 'update_zone', 'delete_zone'] }],
  ])('does not open whole zones: %s', async (key, scope) => {
    const name = `z.${project}.example.`;
    const id = await zone(name);
    const token = await scoped({ zones: [id, `**.${name}`], ...scope });
    const refused = [401, 'access_denied', key];
    expect(told(await ask(token, 'PATCH', `/v2/zones/${id}`, { ttl: 77 }))).toEqual(refused);
    expect(told(await ask(token, 'DELETE', `/v2/zones/${id}`))).toEqual(refused);
    const below = { name: `www.${name}`, email: 'a@example.org' };
    expect(told(await ask(token, 'POST', '/v2/zones', below))).toEqual(refused);
    const { operations } = (await ask(token, 'GET', '/v2/caller')).json;
    for (const rule of ['create_zone', 'update_zone', 'delete_zone', 'find_events', 'zone_export'])
      expect(operations).not.toContain(rule);
    expect((await ask(member, 'GET', `/v2/zones/${id}`)).json.ttl).toBe(3600);
  });
});

describe('an idempotency key', () => {
  it('is that of one token: others get no response stored for it, and do not learn that it is used', async () => {
    const name = `z.${project}.example.`;
    const path = `/v2/zones/${await zone(name)}/recordsets`;
    const broad = await scoped({ zones: [name] });
    const narrow = await scoped({ zones: [name], names: ['www'] });
    const key = { 'Idempotency-Key': 'one' };
    const made = await ask(broad, 'POST', path, record(`mail.${name}`), key);
    expect(made.status).toBe(202);
    for (const body of [record(`mail.${name}`), { ...record(`mail.${name}`), records: ['192.0.2.2'] }])
      expect(told(await ask(narrow, 'POST', path, body, key))).toEqual([401, 'access_denied', 'names']);
    const again = await ask(broad, 'POST', path, record(`mail.${name}`), key);
    expect([again.status, again.json.id]).toEqual([202, made.json.id]);
    expect((await ask(narrow, 'POST', path, record(`www.${name}`), key)).status).toBe(202);
  });
});

describe('a set of changes', () => {
  it('counts the recordsets of a zone only for those who may see all of them', async () => {
    const name = `z.${project}.example.`;
    const path = `/v2/zones/${await zone(name)}/changes`;
    const usageFor = async (scope: object, dryRun: boolean) => {
      const token = await scoped({ zones: [name], ...scope });
      const changes = [{ action: 'upsert', ...record(`www.${name}`) }];
      const { status, json } = await ask(token, 'POST', path, { changes, dry_run: dryRun });
      return [status < 300, json.usage];
    };
    for (const dryRun of [true, false]) {
      for (const scope of [{ names: ['www'] }, { types: ['A'] }])
        expect(await usageFor(scope, dryRun)).toEqual([true, undefined]);
      const limit = expect.objectContaining({ after: 1 });
      expect(await usageFor({}, dryRun)).toEqual([true, { zone_recordsets: limit, zone_records: limit }]);
    }
  });
});

describe('a new zone', () => {
  it('tells of the records that it hides only if the scope has the zone above', async () => {
    const name = `z.${project}.example.`;
    const id = await zone(name);
    const warningFor = async (zones: readonly string[], label: string) => {
      await ask(member, 'POST', `/v2/zones/${id}/recordsets`, record(`${label}.${name}`));
      const token = await scoped({ zones });
      const body = { name: `${label}.${name}`, email: 'a@example.org' };
      const { status, headers } = await ask(token, 'POST', '/v2/zones', body);
      return [status, headers.get('warning')];
    };
    expect(await warningFor([`*.${name}`], 'one')).toEqual([202, null]);
    expect(await warningFor([`**.${name}`], 'two')).toEqual([202, expect.stringContaining(`two.${name}`)]);
  });
});

describe('the events of a zone', () => {
  it('are no more for a scope with its ID than for the wider one with its name', async () => {
    const name = `z.${project}.example.`;
    const id = await zone(name);
    const texts = await scoped({ zones: [id], types: ['TXT'] });
    const changes = [{ action: 'create', ...record(`www.${name}`) }];
    expect((await ask(texts, 'POST', `/v2/zones/${id}/changes`, { changes })).status).toBe(401);
    const typesFor = async (token: string): Promise<string[]> => {
      const { json } = await ask(token, 'GET', `/v2/events?target_id=${id}`);
      return json.events.map(({ type }: { type: string }) => type);
    };
    await eventually(async () => (await typesFor(member)).includes('refused.policy') || undefined);
    const byName = await scoped({ zones: [`**.${project}.example.`] });
    const byId = await scoped({ zones: [id] }, byName);
    expect(await typesFor(byId)).toEqual(await typesFor(byName));
    expect(await typesFor(byId)).toContain('zone.created');
  });
});

it('tells nothing of the hidden records that stand in the way of a new one', async () => {
  const name = `z.${project}.example.`;
  const id = await zone(name);
  const cname = { name: `here.${name}`, type: 'CNAME', records: ['secret.example.org.'] };
  expect((await ask(member, 'POST', `/v2/zones/${id}/recordsets`, cname)).status).toBe(202);
  const token = await scoped({ types: ['A'] });
  const { status, text } = await ask(token, 'POST', `/v2/zones/${id}/recordsets`, record(`here.${name}`));
  expect(status).toBe(400);
  expect(text).not.toMatch(/CNAME|secret/);
  const set = { changes: [{ action: 'create', ...record(`here.${name}`) }] };
  const shown = await ask(token, 'POST', `/v2/zones/${id}/changes`, { ...set, dry_run: true });
  expect([shown.status, /CNAME|secret/.test(shown.text)]).toEqual([200, false]);
});
