/** Shares with a scope: what the project that a zone is shared with reads and writes in it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

const SCOPE = { names: ['_acme-challenge.**'], types: ['TXT'], actions: ['create', 'delete'] };

let service: TestService;
let owner: Tenant;
let guest: Tenant;
let zone: TestZone;
let path: string;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  owner = await tenantOf(service, 'owner');
  guest = await tenantOf(service, 'guest');
});
afterAll(() => service.remove());

const full = (name: string) => `${name}.${zone.name}`;
const txt = (name: string) => ({ name: full(name), type: 'TXT', ttl: 60, records: ['"x"'] });

async function made(who: Tenant, body: object): Promise<string> {
  const { status, json } = await who.ask('POST', `${path}/recordsets`, body);
  expect(status, JSON.stringify(json)).toBe(202);
  return json.id;
}

const share = (scope: unknown) => owner.ask('POST', `${path}/shares`, { target_project_id: 'guest', scope });

async function shared(scope: unknown): Promise<string> {
  const { status, json } = await share(scope);
  expect(status, JSON.stringify(json)).toBe(201);
  return json.id;
}

beforeEach(async () => {
  zone = await owner.makeZone();
  path = `/v2/zones/${zone.id}`;
  ids = {
    www: await made(owner, { name: full('www'), type: 'A', records: ['192.0.2.1'] }),
    acme: await made(owner, txt('_acme-challenge.www')),
    other: await made(owner, {
      ...txt('_acme-challenge.www'),
      type: 'CAA',
      records: ['0 issue "ca.example"'],
    }),
  };
});

const namesOf = (json: { recordsets: { name: string; type: string }[] }) =>
  json.recordsets.map(({ name, type }) => `${name} ${type}`);

describe('a share with a scope', () => {
  it('shows its scope to both projects, and its event to the owner', async () => {
    const id = await shared(SCOPE);
    expect((await owner.ask('GET', `${path}/shares/${id}`)).json.scope).toEqual(SCOPE);
    for (const who of [owner, guest]) {
      expect((await who.ask('GET', `${path}/shares`)).json.shared_zones[0].scope).toEqual(SCOPE);
    }
    await until(async () => {
      const { json } = await owner.ask('GET', `/v2/events?type=share.created&target_id=${id}`);
      expect(JSON.stringify(json)).toContain('_acme-challenge.**');
    });
  });

  it.each([[null], [{}]])('%j narrows nothing, and is not shown', async (scope) => {
    const { json } = await share(scope);
    expect('scope' in json).toBe(false);
    expect(namesOf((await guest.ask('GET', `${path}/recordsets`)).json)).toHaveLength(5);
  });

  it.each([
    [{ zones: ['example.'] }],
    [{ networks: ['192.0.2.1'] }],
    [{ rate: { writes: 1, per_seconds: 1 } }],
    [{ record_lifetime: 60 }],
    [{ actions: ['read'] }],
    [{ actions: ['create_zone'] }],
    [{ actions: [] }],
    [{ names: ['a.example.'] }],
    [{ types: ['NONE'] }],
    ['TXT'],
  ])('refuses the scope %j', async (scope) => {
    const { status, json } = await share(scope);
    expect([status, json.type]).toEqual([400, 'invalid_object']);
    expect((await guest.ask('GET', path)).status).toBe(404);
  });
});

describe('the other project', () => {
  beforeEach(() => shared(SCOPE));

  it('reads what the scope allows, and nothing else', async () => {
    expect((await guest.ask('GET', path)).status).toBe(200);
    const list = (await guest.ask('GET', `${path}/recordsets`)).json;
    expect(namesOf(list)).toEqual([`${full('_acme-challenge.www')} TXT`]);
    expect(list.metadata.total_count).toBe(1);
    const named = (name: string) => guest.ask('GET', `${path}/recordsets?name=${full(name)}`);
    expect(namesOf((await named('www')).json)).toEqual([]);
    expect(namesOf((await named('_acme-challenge.www')).json)).toHaveLength(1);
    expect((await guest.ask('GET', `${path}/recordsets/${ids.acme}`)).status).toBe(200);
    for (const hidden of [ids.www, ids.other]) {
      expect((await guest.ask('GET', `${path}/recordsets/${hidden}`)).status).toBe(404);
      expect((await guest.ask('GET', `/v2/recordsets/${hidden}`)).status).toBe(404);
      expect((await guest.ask('DELETE', `${path}/recordsets/${hidden}`)).status).toBe(404);
    }
    expect((await guest.ask('GET', `${path}/recordsets?marker=${ids.www}`)).json.type).toBe(
      'marker_not_found',
    );
    expect((await owner.ask('GET', `${path}/recordsets`)).json.metadata.total_count).toBe(5);
  });

  it('writes what the scope allows, and nothing else', async () => {
    const id = await made(guest, txt('_acme-challenge.api'));
    const refusedBy = async (body: object) => {
      const { status, json } = await guest.ask('POST', `${path}/recordsets`, body);
      return [status, json.type, /"(\w+)" refuses/.exec(json.message)?.[1]];
    };
    expect(await refusedBy(txt('api'))).toEqual([401, 'access_denied', 'names']);
    const address = { name: full('_acme-challenge.x'), type: 'A', records: ['192.0.2.1'] };
    expect(await refusedBy(address)).toEqual([401, 'access_denied', 'types']);
    const changed = await guest.ask('PUT', `${path}/recordsets/${id}`, { records: ['"y"'] });
    expect([changed.status, changed.json.type]).toEqual([401, 'access_denied']);
    expect((await guest.ask('DELETE', `${path}/recordsets/${id}`)).status).toBe(202);
    expect(
      await refusedBy({ ...txt('_acme-challenge.www'), type: 'CNAME', records: ['a.example.'] }),
    ).toEqual([401, 'access_denied', 'types']);
  });

  it('is refused changes in a set, each by its key, and learns nothing from it', async () => {
    const changes = [
      { action: 'create', ...txt('_acme-challenge.one') },
      { action: 'upsert', ...txt('api') },
      { action: 'delete', name: full('www') },
      { action: 'delete', name: full('missing') },
    ];
    const dry = (await guest.ask('POST', `${path}/changes`, { changes, dry_run: true })).json;
    expect(dry.status, JSON.stringify(dry)).toBe('REFUSED');
    expect('usage' in dry).toBe(false);
    const messages = dry.changes.map(({ refusal }: { refusal?: { message: string } }) => refusal?.message);
    expect(messages.filter((one: string | undefined) => one !== undefined)).toEqual(
      Array(3).fill('The scope of the share does not allow this change: "names" refuses it.'),
    );
    const { status, json } = await guest.ask('POST', `${path}/changes`, { changes: changes.slice(0, 1) });
    expect(status, JSON.stringify(json)).toBe(202);
  });

  it('learns from no refusal what it may not see', async () => {
    await made(owner, { name: full('_acme-challenge.alias'), type: 'CNAME', records: ['a.example.'] });
    const beside = await guest.ask('POST', `${path}/recordsets`, txt('_acme-challenge.alias'));
    expect(beside.json).toMatchObject({
      type: 'invalid_recordset_location',
      message: 'Other records, which your scope hides, do not allow a recordset here.',
    });
  });

  it('is told by the access check that the share refuses', async () => {
    const ask = async (question: object) =>
      (await guest.ask('POST', '/v2/access/check', { zone: zone.id, ...question })).json;
    const name = full('_acme-challenge.x');
    expect(await ask({ name, type: 'TXT', action: 'create' })).toEqual({ allowed: true });
    expect(await ask({ name: full('x'), type: 'TXT', action: 'create' })).toMatchObject({
      allowed: false,
      refused_by: 'share',
      key: 'names',
    });
    expect(await ask({ name, type: 'TXT', action: 'update' })).toMatchObject({
      refused_by: 'share',
      key: 'actions',
    });
  });

  it('is narrowed by the scope of its token, too', async () => {
    const { json } = await guest.ask('POST', '/v2/tokens', { scope: { types: ['A', 'CAA'] } });
    const list = await service.request('GET', `${path}/recordsets`, { token: json.token });
    expect(list.json.recordsets).toEqual([]);
    const { json: challenges } = await guest.ask('POST', '/v2/tokens', {
      scope: { names: ['*.www', '*.api'] },
    });
    const one = await service.request('GET', `${path}/recordsets`, { token: challenges.token });
    expect(namesOf(one.json)).toEqual([`${full('_acme-challenge.www')} TXT`]);
  });

  it('keeps its scope when the zone gets another owner', async () => {
    const heir = await tenantOf(service, 'heir');
    const { json: request } = await owner.ask('POST', `${path}/tasks/transfer_requests`, {});
    const accept = { key: request.key, zone_transfer_request_id: request.id };
    expect((await heir.ask('POST', '/v2/zones/tasks/transfer_accepts', accept)).status).toBe(201);
    expect(namesOf((await guest.ask('GET', `${path}/recordsets`)).json)).toHaveLength(1);
    expect((await heir.ask('GET', `${path}/shares`)).json.shared_zones[0].scope).toEqual(SCOPE);
  });
});
