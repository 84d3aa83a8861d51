/** Blacklists that are asked about the names of records, too. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { importFile, zoneFile } from '../../support/zone-files.ts';

const ON = { ZONEWARDEN_BLACKLISTS__APPLY_TO: 'zones, recordsets' };
const A = { type: 'A', records: ['192.0.2.1'] };
const REFUSED = [400, 'invalid_recordset_name', 'Blacklisted domain name'];

let service: TestService;
let member: string;
let zone: string;

async function start(environment = {}): Promise<void> {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1', ...environment });
  member = await service.token('shop', 'member');
  zone = await makeZone('shop.example.');
}
const makeZone = async (name: string): Promise<string> => {
  const body = { name, email: 'a@example.org' };
  return (await service.request('POST', '/v2/zones', { token: member, body })).json.id;
};
const post = (body: object): Promise<Answer> =>
  service.request('POST', '/v2/blacklists', { token: service.admin, body });
const block = async (pattern: string, more = {}): Promise<string> => {
  const { status, json } = await post({ pattern, ...more });
  expect(status).toBe(201);
  return json.id;
};
const create = (name: string, body: object = A, token = member, headers = {}): Promise<Answer> =>
  service.request('POST', `/v2/zones/${zone}/recordsets`, { token, headers, body: { name, ...body } });
const outcome = ({ status, json }: Answer): unknown =>
  status === 202 ? status : [status, json.type, json.message];
const events = (type: string) => service.logged.filter(({ event }) => event === type);

describe('with "zones, recordsets"', () => {
  beforeEach(() => start(ON));
  afterEach(() => service.remove());

  it('a new name that matches is refused, below a zone that is older than the pattern', async () => {
    const id = await block('^login\\.');
    expect(outcome(await create('login.shop.example.'))).toEqual(REFUSED);
    expect(outcome(await create('LOGIN.shop.example.'))).toEqual(REFUSED);
    expect(outcome(await create('a.login.shop.example.'))).toBe(202);
    expect(events('refused.blacklist')).toMatchObject([
      { blacklist: id, recordset: 'login.shop.example.' },
      { blacklist: id, recordset: 'login.shop.example.' },
    ]);
    const list = await service.request('GET', `/v2/zones/${zone}/recordsets?type=A`, { token: member });
    expect(list.json.recordsets.map(({ name }: { name: string }) => name)).toEqual(['a.login.shop.example.']);
  });

  it('the apex is asked about with its zone alone', async () => {
    await block('^shop\\.example\\.$');
    expect(outcome(await create('shop.example.', { type: 'MX', records: ['10 mail.example.'] }))).toBe(202);
  });

  it('a wildcard is a literal *, and a name with A-labels is asked about in both forms', async () => {
    await block('^\\*\\.');
    await block('^münchen\\.');
    await block('^xn--bcher-kva\\.');
    expect(outcome(await create('*.shop.example.'))).toEqual(REFUSED);
    expect(outcome(await create('xn--mnchen-3ya.shop.example.'))).toEqual(REFUSED);
    expect(outcome(await create('bücher.shop.example.'))).toEqual(REFUSED);
    expect(outcome(await create('köln.shop.example.'))).toBe(202);
    expect(outcome(await create('_dmarc.shop.example.', { type: 'TXT', records: ['"v"'] }))).toBe(202);
  });

  it('a name that is in use is not new: other types may join it, until the last is gone', async () => {
    const first = (await create('www.shop.example.')).json.id;
    await block('^www\\.');
    const second = (await create('www.shop.example.', { type: 'TXT', records: ['"a"'] })).json.id;
    expect(second).toEqual(expect.any(String));
    const path = (id: string) => `/v2/zones/${zone}/recordsets/${id}`;
    const body = { records: ['192.0.2.2'] };
    expect((await service.request('PUT', path(first), { token: member, body })).status).toBe(202);
    for (const id of [first, second]) await service.request('DELETE', path(id), { token: member });
    expect(outcome(await create('www.shop.example.'))).toEqual(REFUSED);
    expect(events('refused.blacklist')).toHaveLength(1);
  });

  it('an exception, an expiry and a mode hold for names of records as for zones', async () => {
    await block('^excepted\\.', { exceptions: [{ project_id: 'shop' }] });
    await block('^gone\\.', { expires_at: '2020-01-01T00:00:00' });
    await block('^warned\\.', { mode: 'warn' });
    await block('^audited\\.', { mode: 'audit' });
    expect(outcome(await create('excepted.shop.example.'))).toBe(202);
    expect(outcome(await create('gone.shop.example.'))).toBe(202);
    expect((await create('warned.shop.example.')).headers.get('warning')).toMatch(/^299 - /);
    expect((await create('audited.shop.example.')).headers.get('warning')).toBeNull();
    expect(events('recordset.created_noted')).toMatchObject([{ found: 1, audit: true }, { found: 1 }]);
  });

  it('a match comes after the records, and before the place of the recordset and the quota', async () => {
    await block('^login\\.');
    const full = { type: 'A', records: Array.from({ length: 30 }, (_, place) => `192.0.2.${place}`) };
    expect((await create('login.shop.example.', full)).json.type).toBe('over_quota');
    expect((await create('login.shop.example.', { type: 'A', records: ['x'] })).json.type).toBe(
      'invalid_object',
    );
    const none = { zone_recordsets: 0 };
    await service.request('PATCH', '/v2/quotas/shop', { token: service.admin, body: none });
    expect(outcome(await create('login.shop.example.'))).toEqual(REFUSED);
    expect(outcome(await create('login.elsewhere.example.'))).toEqual(REFUSED);
  });

  it('who may not write into the zone learns nothing of the blacklists', async () => {
    await block('^login\\.');
    const stranger = await service.token('other', 'member');
    expect((await create('login.shop.example.', A, stranger)).status).toBe(404);
  });

  it('a refusal says whom to ask where the operator has said so', async () => {
    await block('^login\\.');
    expect((await create('login.shop.example.')).json).not.toHaveProperty('hint');
    await service.restart({ ...ON, ZONEWARDEN_DEFAULT__BLACKLIST_CONTACT: 'Ms. Names Sr.' });
    const imported = await importFile(service, member, zoneFile('file.example.', 'login 60 TXT a'));
    const hints = [(await create('login.shop.example.')).json.hint, imported.json.hint];
    expect(hints).toEqual(['Ask Ms. Names Sr.', 'Ask Ms. Names Sr.']);
  });

  it('a name that cannot be checked is refused with another message', async () => {
    await block('^(([a-z])+.)+\\2\\.slowly\\.shop\\.example\\.$');
    const name = `${'abcd'.repeat(15)}.slowly.shop.example.`;
    const { status, json } = await create(name);
    expect([status, json.type]).toEqual([400, 'invalid_recordset_name']);
    expect(json.message).toMatch(/could not be checked/);
    expect(events('refused.undecided')).toHaveLength(1);
  });
});

describe('an import', () => {
  beforeEach(() => start(ON));
  afterEach(() => service.remove());

  it('is refused for the names that match, with their lines, and nothing is kept', async () => {
    await block('^login\\.');
    const file = zoneFile(
      'file.example.',
      '@ 60 TXT a',
      'www 60 TXT a',
      'login 60 TXT a',
      'login 60 A 192.0.2.1',
      'mail 60 A 192.0.2.1',
      'login.sub 60 A 192.0.2.1',
    );
    const { status, json } = await importFile(service, member, file);
    expect([status, json.type, json.message]).toEqual(REFUSED);
    const lines = file.split('\n').flatMap((text, at) => (text.startsWith('login') ? [at + 1] : []));
    const message = 'Blacklisted domain name';
    expect(json.errors.errors).toEqual(lines.map((line) => ({ path: ['line', line], message })));
    expect(lines).toHaveLength(3);
    expect(events('refused.blacklist')).toMatchObject([
      { recordset: 'login.file.example.', zone: 'file.example.' },
    ]);
    const zones = (await service.request('GET', '/v2/zones?name=file.example.', { token: member })).json
      .zones;
    expect(zones).toEqual([]);
  });

  it('is refused for its zone before its records, and passes with other names', async () => {
    await block('^login\\.');
    await block('^black\\.');
    const black = await importFile(service, member, zoneFile('black.example.', 'login 60 TXT a'));
    expect(black.json.type).toBe('invalid_zone_name');
    const good = zoneFile('good.example.', '@ 60 TXT a', '* 60 TXT a', 'xn--mnchen-3ya 60 TXT a');
    expect((await importFile(service, member, good)).status).toBe(202);
    await block('^\\*\\.other');
    await block('^münchen\\.another');
    for (const [name, label] of [
      ['other.example.', '*'],
      ['another.example.', 'xn--mnchen-3ya'],
    ] as const) {
      const { status, json } = await importFile(service, member, zoneFile(name, `${label} 60 TXT a`));
      expect([status, json.type, json.message]).toEqual(REFUSED);
    }
  });

  it('may be asked about many names', async () => {
    await service.request('PATCH', '/v2/quotas/shop', {
      token: service.admin,
      body: { zone_recordsets: -1, zone_records: -1 },
    });
    await block('^n1999\\.last\\.');
    const lines = (count: number) => Array.from({ length: count }, (_, place) => `n${place} 60 TXT a`);
    expect((await importFile(service, member, zoneFile('first.example.', ...lines(2000)))).status).toBe(202);
    const { json } = await importFile(service, member, zoneFile('last.example.', ...lines(2000)));
    expect([json.code, json.type, json.message]).toEqual(REFUSED);
  });
});

describe('a rule may let some use blacklisted names of records', () => {
  beforeAll(async () => {
    await start(ON);
  });
  afterAll(() => service.remove());

  it('and nobody may by default, not even an administrator', async () => {
    await block('^login\\.');
    const headers = { 'x-auth-sudo-project-id': 'shop' };
    expect(outcome(await create('login.shop.example.', A, service.admin, headers))).toEqual(REFUSED);
  });
});

describe('without the option', () => {
  beforeAll(() => start());
  afterAll(() => service.remove());

  it('names of records are not asked about, by create or by import', async () => {
    await block('^login\\.');
    expect(outcome(await create('login.shop.example.'))).toBe(202);
    expect((await importFile(service, member, zoneFile('file.example.', 'login 60 TXT a'))).status).toBe(202);
    expect((await post({ pattern: '^x\\.' })).status).toBe(201);
  });
});
