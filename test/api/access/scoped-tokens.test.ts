/** What tokens with a scope reach, see and change. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let member: string;
let project: string;
let projects = 0;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn',
    ZONEWARDEN_SERVICE_API__FAILED_TOKENS_PER_SECOND: '10000',
  });
});
afterAll(() => service.remove());
beforeEach(async () => {
  project = `shop-${++projects}`;
  member = await service.token(project, 'member');
});

type Scope = Readonly<Record<string, unknown>>;
const ask = (token: string, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
  service.request(method, path, { token, headers, ...(body === undefined ? {} : { body }) });

async function scoped(scope: Scope, by = member): Promise<string> {
  const { status, json } = await ask(by, 'POST', '/v2/tokens', { scope });
  expect(status, JSON.stringify(json)).toBe(201);
  return json.token;
}

async function zone(name: string): Promise<string> {
  const { status, json } = await ask(member, 'POST', '/v2/zones', { name, email: 'a@example.org' });
  expect(status, JSON.stringify(json)).toBe(202);
  return json.id;
}

const recordsetBody = (name: string, type = 'TXT') => ({
  name,
  type,
  records: [type === 'TXT' ? '"x"' : '192.0.2.1'],
});
async function recordset(zoneId: string, name: string, type = 'TXT'): Promise<string> {
  const { status, json } = await ask(
    member,
    'POST',
    `/v2/zones/${zoneId}/recordsets`,
    recordsetBody(name, type),
  );
  expect(status, JSON.stringify(json)).toBe(202);
  return json.id;
}

const told = ({ status, json, headers }: Answer) => [
  status,
  json?.type,
  /: (\w+)\./.exec(headers.get('www-authenticate') ?? '')?.[1],
];
const namesOf = (json: { recordsets: { name: string; type: string }[] }) =>
  json.recordsets.map(({ name, type }) => `${name} ${type}`).sort();

describe('zones', () => {
  it('outside the scope are in no list, count or filter, and cannot be found', async () => {
    const id = await zone(`one.${project}.example.`);
    const other = await zone(`two.${project}.example.`);
    const lookedAt = async (zones: readonly string[]) => {
      const token = await scoped({ zones });
      const { json } = await ask(token, 'GET', '/v2/zones');
      const first = await ask(token, 'GET', '/v2/zones?limit=1&sort_key=name');
      const statusOf = async (path: string) => (await ask(token, 'GET', path)).status;
      return {
        listed: json.zones.length,
        total: json.metadata.total_count,
        totalOfPage: first.json.metadata.total_count,
        hasNext: first.json.links.next !== undefined,
        byName: (await ask(token, 'GET', `/v2/zones?name=two.${project}.example.`)).json.zones.length,
        statuses: [await statusOf(`/v2/zones/${id}`), await statusOf(`/v2/zones/${other}`)],
        behind: await statusOf(`/v2/zones?marker=${other}`),
      };
    };
    const one = {
      listed: 1,
      total: 1,
      totalOfPage: 1,
      hasNext: false,
      byName: 0,
      statuses: [200, 404],
      behind: 400,
    };
    const both = {
      listed: 2,
      total: 2,
      totalOfPage: 2,
      hasNext: true,
      byName: 1,
      statuses: [200, 200],
      behind: 200,
    };
    expect(await lookedAt([id])).toEqual(one);
    expect(await lookedAt([`one.${project}.example.`])).toEqual(one);
    expect(await lookedAt(['one.**.'])).toEqual(one);
    expect(await lookedAt([`*.${project}.example.`, id])).toEqual(both);
    expect(await lookedAt(['**.example.'])).toEqual(both);
  });

  it('are created, changed and deleted as the actions allow', async () => {
    const id = await zone(`a.${project}.example.`);
    const reader = await scoped({ actions: ['read'] });
    const patch = { description: 'new' };
    expect(told(await ask(reader, 'PATCH', `/v2/zones/${id}`, patch))).toEqual([
      401,
      'access_denied',
      'actions',
    ]);
    expect(told(await ask(reader, 'DELETE', `/v2/zones/${id}`))).toEqual([401, 'access_denied', 'actions']);
    const creator = await scoped({ zones: [`**.new.${project}.example.`], actions: ['create_zone'] });
    const body = (name: string) => ({ name, email: 'a@example.org' });
    expect((await ask(creator, 'POST', '/v2/zones', body(`x.new.${project}.example.`))).status).toBe(202);
    expect(told(await ask(creator, 'POST', '/v2/zones', body(`y.${project}.example.`)))).toEqual([
      401,
      'access_denied',
      'zones',
    ]);
    expect((await ask(creator, 'GET', `/v2/zones/${id}`)).status).toBe(404);
    const updater = await scoped({ zones: [id], actions: ['update_zone'] });
    expect((await ask(updater, 'PATCH', `/v2/zones/${id}`, patch)).status).toBe(202);
    expect(told(await ask(updater, 'DELETE', `/v2/zones/${id}`))[0]).toBe(401);
  });
});

describe('recordsets', () => {
  it('outside the scope do not exist: not by id, in lists, counts, filters or changes', async () => {
    const id = await zone(`z.${project}.example.`);
    const inside = await recordset(id, `_acme-challenge.www.z.${project}.example.`);
    const named = await recordset(id, `www.z.${project}.example.`);
    const typed = await recordset(id, `_acme-challenge.api.z.${project}.example.`, 'A');
    const token = await scoped({ names: ['_acme-challenge.**'], types: ['TXT'] });
    const all = [`_acme-challenge.www.z.${project}.example. TXT`];
    for (const path of [`/v2/zones/${id}/recordsets`, '/v2/recordsets']) {
      const { json } = await ask(token, 'GET', path);
      expect(namesOf(json)).toEqual(all);
      expect(json.metadata.total_count).toBe(1);
      expect((await ask(token, 'GET', `${path}?name=www.z.${project}.example.`)).json.recordsets).toEqual([]);
      expect((await ask(token, 'GET', `${path}?type=A`)).json.recordsets).toEqual([]);
      expect((await ask(token, 'GET', `${path}?marker=${named}`)).status).toBe(400);
    }
    for (const hidden of [named, typed]) {
      const path = `/v2/zones/${id}/recordsets/${hidden}`;
      for (const [method, body] of [['GET'], ['PUT', { records: ['"y"'] }], ['DELETE']] as const)
        expect(told(await ask(token, method, path, body)).slice(0, 2)).toEqual([404, 'recordset_not_found']);
      expect((await ask(token, 'GET', `/v2/recordsets/${hidden}`, undefined)).status).toBe(404);
    }
    expect((await ask(token, 'GET', `/v2/zones/${id}/recordsets/${inside}`)).status).toBe(200);
    expect(
      (await ask(token, 'PUT', `/v2/zones/${id}/recordsets/${inside}`, { records: ['"y"'] })).status,
    ).toBe(202);
  });

  it('are created within names, types and actions, and refused by the first key that does not allow it', async () => {
    const id = await zone(`z.${project}.example.`);
    const path = `/v2/zones/${id}/recordsets`;
    const token = await scoped({
      zones: [id],
      names: ['_acme-challenge.**'],
      types: ['TXT'],
      actions: ['create', 'delete'],
    });
    const post = (name: string, type?: string) =>
      ask(token, 'POST', path, recordsetBody(`${name}z.${project}.example.`, type));
    const made = await post('_acme-challenge.');
    expect(made.status).toBe(202);
    expect(told(await post('www.'))).toEqual([401, 'access_denied', 'names']);
    expect(told(await post('_acme-challenge.x.', 'A'))).toEqual([401, 'access_denied', 'types']);
    expect(told(await post('www.', 'A'))).toEqual([401, 'access_denied', 'names']);
    expect(told(await ask(token, 'PUT', `${path}/${made.json.id}`, { records: ['"y"'] }))).toEqual([
      401,
      'access_denied',
      'actions',
    ]);
    expect((await ask(token, 'DELETE', `${path}/${made.json.id}`)).status).toBe(202);
    expect(
      told(
        await ask(token, 'POST', path, {
          ...recordsetBody(`_acme-challenge.z.${project}.example.`),
          protected: true,
        }),
      ),
    ).toEqual([401, 'access_denied', 'scope']);
  });

  it('are changed by sets as by single requests, and sets tell nothing of others', async () => {
    const id = await zone(`z.${project}.example.`);
    await recordset(id, `www.z.${project}.example.`);
    const token = await scoped({ names: ['_acme-challenge.**'] });
    const set = (name: string, action = 'upsert') => ({
      changes: [
        {
          action,
          name: `${name}.z.${project}.example.`,
          ...(action === 'delete' ? {} : { type: 'TXT', records: ['"x"'] }),
        },
      ],
    });
    const path = `/v2/zones/${id}/changes`;
    expect((await ask(token, 'POST', path, set('_acme-challenge'))).status).toBe(202);
    for (const name of ['www', 'nothing-here'])
      for (const action of ['upsert', 'delete']) {
        expect(told(await ask(token, 'POST', path, set(name, action))).slice(0, 2)).toEqual([
          401,
          'access_denied',
        ]);
        const { status, text } = await ask(token, 'POST', path, { ...set(name, action), dry_run: true });
        expect([name, action, status]).toEqual([name, action, 200]);
        expect(text).not.toContain('"before":{');
      }
    const answers = await Promise.all(
      ['www', 'nothing-here'].map(async (name) => {
        const { json } = await ask(token, 'POST', path, { ...set(name), dry_run: true });
        return JSON.stringify({ ...json, plan: '' }).replaceAll(name, 'NAME');
      }),
    );
    expect(answers[0]).toBe(answers[1]);
  });
});

describe('a dry run', () => {
  it('is open to the action plan, and its application is not', async () => {
    const id = await zone(`z.${project}.example.`);
    const token = await scoped({ actions: ['plan'] });
    const set = { changes: [{ action: 'create', ...recordsetBody(`new.z.${project}.example.`) }] };
    const path = `/v2/zones/${id}/changes`;
    const { status, json } = await ask(token, 'POST', path, { ...set, dry_run: true });
    expect([status, json.summary?.create ?? json.refused]).toEqual([200, 1]);
    expect(told(await ask(token, 'POST', path, set)).slice(0, 2)).toEqual([401, 'access_denied']);
    expect(told(await ask(token, 'POST', path, { changes: [] })).slice(0, 2)).toEqual([401, 'access_denied']);
  });
});

describe('the rate', () => {
  it('counts writes, refused ones included, and no reads and dry runs; also those of tokens that it created', async () => {
    const id = await zone(`z.${project}.example.`);
    const parent = await scoped({ rate: { writes: 5, per_seconds: 3600 } });
    const child = await scoped({ rate: { writes: 3, per_seconds: 3600 } }, parent);
    const path = `/v2/zones/${id}/recordsets`;
    const write = (token: string, name: string) =>
      ask(token, 'POST', path, recordsetBody(`${name}.z.${project}.example.`));
    const set = { changes: [], dry_run: true };
    // The creation of the child was the first write of the parent.
    expect((await write(child, 'a')).status).toBe(202);
    expect((await write(child, 'a')).status).toBe(409);
    for (let made = 0; made < 5; made += 1) {
      expect((await ask(child, 'GET', path)).status).toBe(200);
      expect((await ask(child, 'POST', `/v2/zones/${id}/changes`, set)).status).toBe(200);
      const past = { serial: 5, dry_run: true };
      expect((await ask(child, 'POST', `/v2/zones/${id}/restore`, past)).status).toBe(404);
    }
    expect((await write(child, 'b')).status).toBe(202);
    const refused = await write(child, 'c');
    expect(told(refused).slice(0, 2)).toEqual([429, 'too_many_requests']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect((await write(parent, 'd')).status).toBe(202);
    expect((await write(parent, 'e')).status).toBe(429);
    expect((await ask(child, 'POST', `/v2/zones/${id}/changes`, set)).status).toBe(200);
    expect((await ask(child, 'POST', `/v2/zones/${id}/changes`, { changes: [] })).status).toBe(429);
  });
});

describe('networks', () => {
  it('refuse every request from elsewhere with 401, which is no failed credential', async () => {
    const here = await scoped({ networks: ['127.0.0.0/8'] });
    const elsewhere = await scoped({ networks: ['192.0.2.0/24'] });
    expect((await ask(here, 'GET', '/v2/zones')).status).toBe(200);
    for (const path of ['/v2/zones', '/v2/caller', '/v2/tlds'])
      expect(told(await ask(elsewhere, 'GET', path))).toEqual([401, 'access_denied', 'networks']);
  });
});

describe('a scoped token', () => {
  it('creates tokens only within its scope, and only with the action for it', async () => {
    const parent = await scoped({ types: ['TXT', 'A'], actions: ['create', 'create_token'] });
    const create = async (scope: Scope | undefined, token = parent) =>
      told(await ask(token, 'POST', '/v2/tokens', scope === undefined ? {} : { scope })).slice(0, 2);
    expect(await create({ types: ['TXT'], actions: ['create'] })).toEqual([201, undefined]);
    expect(await create(undefined)).toEqual([403, 'scope_too_wide']);
    expect(await create({ types: ['TXT', 'MX'], actions: ['create'] })).toEqual([403, 'scope_too_wide']);
    expect(await create({ types: ['TXT'] })).toEqual([403, 'scope_too_wide']);
    const other = await scoped({ types: ['TXT'], actions: ['create'] });
    expect(await create({ types: ['TXT'], actions: ['create'] }, other)).toEqual([401, 'access_denied']);
    const { status, json } = await ask(parent, 'POST', '/v2/tokens', {
      scope: { zones: ['7d4dbb1f-9f40-4c2a-8f52-9d9e6cf3a001'] },
    });
    expect([status, json.type]).toEqual([400, 'invalid_object']);
  });

  it('sees and revokes itself and those below it', async () => {
    const parent = await scoped({ actions: ['create', 'create_token'] });
    const child = await scoped({ actions: ['create'] }, parent);
    const other = await scoped({ actions: ['create'] });
    const ids = [parent, child].map((token) => token.split('_')[1]).sort();
    const listed = (await ask(parent, 'GET', '/v2/tokens')).json.tokens
      .map((one: { id: string }) => one.id)
      .sort();
    expect(listed).toEqual(ids);
    expect((await ask(child, 'GET', `/v2/tokens/${parent.split('_')[1]}`)).status).toBe(404);
    expect((await ask(parent, 'DELETE', `/v2/tokens/${other.split('_')[1]}`)).status).toBe(404);
    expect((await ask(parent, 'DELETE', `/v2/tokens/${child.split('_')[1]}`)).status).toBe(204);
    expect((await ask(child, 'GET', '/v2/zones')).status).toBe(401);
    expect((await ask(parent, 'DELETE', `/v2/tokens/${parent.split('_')[1]}`)).status).toBe(204);
  });

  it('of an administrator is no more than its scope', async () => {
    const { json } = await ask(service.admin, 'POST', '/v2/tokens', {
      project_id: project,
      roles: ['admin'],
      scope: { actions: ['read'] },
    });
    for (const [path, headers] of [
      ['/v2/zones', { 'x-auth-all-projects': 'true' }],
      ['/v2/zones', { 'x-auth-sudo-project-id': 'other' }],
      ['/v2/blacklists', {}],
      ['/v2/pools', {}],
      ['/v2/usage', {}],
    ] as const)
      expect(told(await ask(json.token, 'GET', path, undefined, headers)).slice(0, 2)).toEqual([
        401,
        'access_denied',
      ]);
  });

  it('is refused whole zones, events and history if it has names or types', async () => {
    const id = await zone(`z.${project}.example.`);
    const whole = await scoped({ zones: [id] });
    const part = await scoped({ zones: [id], types: ['TXT'] });
    for (const path of [
      `/v2/zones/${id}/contents`,
      `/v2/zones/${id}/changes`,
      '/v2/events',
      '/v2/deleted_zones',
      '/v2/zones/tasks/exports',
    ]) {
      expect([
        path,
        (await ask(whole, 'GET', path, undefined, { accept: 'application/json' })).status,
      ]).toEqual([path, 200]);
      expect(told(await ask(part, 'GET', path, undefined, { accept: 'application/json' }))).toEqual([
        401,
        'access_denied',
        'types',
      ]);
    }
  });

  it('with a scope that cannot be read is not created', async () => {
    for (const scope of [
      { zones: [] },
      { colour: ['red'] },
      { types: ['NOPE'] },
      { names: ['a.**.b'] },
      { zones: ['no-dot'] },
      { networks: ['192.0.2.0/33'] },
      { rate: { writes: 0, per_seconds: 1 } },
      { record_lifetime: 59 },
      { names: Array.from({ length: 65 }, (_, number) => `n${number}`) },
      { names: Array.from({ length: 64 }, (_, number) => `${'a.'.repeat(126)}n${number}`) },
    ])
      expect(told(await ask(member, 'POST', '/v2/tokens', { scope })).slice(0, 2)).toEqual([
        400,
        'invalid_object',
      ]);
    for (const scope of [{}, null]) {
      const { status, json } = await ask(member, 'POST', '/v2/tokens', { scope });
      expect(status).toBe(201);
      expect(json).not.toHaveProperty('scope');
    }
  });
});

it('a token that may not change zones cannot change the TTL of one by a restore', async () => {
  const id = await zone(`ttl.${project}.example.`);
  const { serial, ttl } = (await ask(member, 'GET', `/v2/zones/${id}`)).json;
  await ask(member, 'PATCH', `/v2/zones/${id}`, { ttl: ttl + 1 });
  const token = await scoped({ actions: ['create', 'update', 'delete'] });
  const restore = () => ask(token, 'POST', `/v2/zones/${id}/restore`, { serial });
  expect(told(await restore())).toEqual([401, 'access_denied', 'actions']);
  await ask(member, 'PATCH', `/v2/zones/${id}`, { ttl });
  expect((await restore()).status).toBeLessThan(300);
});

describe('a record lifetime', () => {
  it('is given to recordsets that the token creates, moved on by its changes, and not given to those of others', async () => {
    const id = await zone(`z.${project}.example.`);
    const path = `/v2/zones/${id}/recordsets`;
    const others = await recordset(id, `others.z.${project}.example.`);
    const token = await scoped({ record_lifetime: 3600 });
    const inAnHour = (at: string) => Math.abs(Date.parse(`${at}Z`) - Date.now() - 3_600_000) < 60_000;
    const made = await ask(token, 'POST', path, recordsetBody(`own.z.${project}.example.`));
    expect(inAnHour(made.json.expires_at)).toBe(true);
    const far = { ...recordsetBody(`far.z.${project}.example.`), expires_at: '2090-01-01T00:00:00.000000' };
    expect(inAnHour((await ask(token, 'POST', path, far)).json.expires_at)).toBe(true);
    const one = `${path}/${made.json.id}`;
    const soon = new Date(Date.now() + 120_000).toISOString().slice(0, -1);
    await ask(member, 'PUT', one, { expires_at: `${soon}000` });
    const { json } = await ask(token, 'PUT', one, { records: ['"y"'] });
    expect(inAnHour(json.expires_at)).toBe(true);
    expect((await ask(token, 'PUT', `${path}/${others}`, { records: ['"y"'] })).json).not.toHaveProperty(
      'expires_at',
    );
    const set = (name: string) => ({
      changes: [{ action: 'upsert', ...recordsetBody(`${name}.z.${project}.example.`) }],
    });
    await ask(member, 'PUT', one, { expires_at: `${soon}000` });
    const serialOf = async () => (await ask(member, 'GET', `/v2/zones/${id}`)).json.serial;
    await ask(member, 'POST', `/v2/zones/${id}/changes`, set('own'));
    const serial = await serialOf();
    for (const name of ['own', 'others', 'new-one']) {
      expect((await ask(token, 'POST', `/v2/zones/${id}/changes`, set(name))).status).toBe(202);
      if (name === 'own') expect(await serialOf()).toBe(serial);
    }
    const { recordsets } = (await ask(member, 'GET', path)).json;
    const expiring = (recordsets as { name: string; expires_at?: string }[]).filter(
      ({ expires_at: at }) => at !== undefined && inAnHour(at),
    );
    expect(expiring.map(({ name }) => name.split('.')[0]).sort()).toEqual(['far', 'new-one', 'own']);
    expect(
      told(await ask(token, 'POST', '/v2/zones/tasks/imports', '', { 'content-type': 'text/dns' })),
    ).toEqual([401, 'access_denied', 'record_lifetime']);
  });
});

it('a token for some zones does not learn the name of another zone from a place that is not allowed', async () => {
  const parent = `parent-${project}.example.`;
  const id = await zone(parent);
  await zone(`secret.${parent}`);
  const named = `a.secret.${parent}`;
  const create = (token: string) => ask(token, 'POST', `/v2/zones/${id}/recordsets`, recordsetBody(named));
  const plan = (token: string) =>
    ask(token, 'POST', `/v2/zones/${id}/changes`, {
      changes: [{ ...recordsetBody(named), action: 'create' }],
    });
  const narrow = await scoped({ zones: [parent] });
  for (const answer of [await create(narrow), await plan(narrow)]) {
    expect([answer.status, answer.json.type]).toEqual([400, 'invalid_recordset_location']);
    expect(answer.json.message).not.toContain(`"secret.${parent}"`);
    expect(answer.json.message).toContain('which your scope hides');
  }
  const wide = await scoped({ zones: [`**.${parent}`] });
  for (const answer of [await create(wide), await plan(wide), await create(member)])
    expect(answer.json.message).toContain(`secret.${parent}`);
});
