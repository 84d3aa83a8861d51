/** Zones that are shared with other projects. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../../support/run-here.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let owner: Tenant;
let guest: Tenant;
let stranger: Tenant;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '4',
  });
  owner = await tenantOf(service, 'owner');
  guest = await tenantOf(service, 'guest');
  stranger = await tenantOf(service, 'stranger');
});
afterAll(() => service.remove());

const pathOf = (zone: { id: string }) => `/v2/zones/${zone.id}/shares`;
const share = (zone: { id: string }, project: string, by: Tenant = owner) =>
  by.ask('POST', pathOf(zone), { target_project_id: project });
const recordset = (zone: TestZone, name: string) => ({
  name: `${name}.${zone.name}`,
  type: 'A',
  records: ['192.0.2.1'],
});
const recordsetPath = (zone: TestZone, { id }: { id: string }) => `/v2/zones/${zone.id}/recordsets/${id}`;
const typeOf = ({ status, json }: { status: number; json: { type?: string } }) => [status, json?.type];
const idsOf = (json: Record<string, { id: string }[]>, key: string) => json[key]!.map(({ id }) => id);
const totalOf = async (who: Tenant, path: string): Promise<number> =>
  (await who.ask('GET', path)).json.metadata.total_count;

/** A zone of the owner, shared with the guest. */
async function sharedZone(): Promise<{ zone: TestZone; shareId: string }> {
  const zone = await owner.makeZone();
  const { status, json } = await share(zone, 'guest');
  expect(status).toBe(201);
  return { zone, shareId: json.id };
}

describe('a share', () => {
  it('is created, shown, listed and ended', async () => {
    const zone = await owner.makeZone();
    const { status, headers, json } = await share(zone, 'guest');
    expect(status).toBe(201);
    const links = {
      self: `${service.url}${pathOf(zone)}/${json.id}`,
      zone: `${service.url}/v2/zones/${zone.id}`,
    };
    expect(json).toEqual({
      id: json.id,
      zone_id: zone.id,
      project_id: 'owner',
      target_project_id: 'guest',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
      updated_at: null,
      links,
    });
    expect(headers.get('location')).toBe(links.self);
    expect((await owner.ask('GET', `${pathOf(zone)}/${json.id}`)).json).toEqual(json);
    const list = (await owner.ask('GET', pathOf(zone))).json;
    expect(list).toEqual({
      shared_zones: [json],
      links: { self: `${service.url}${pathOf(zone)}` },
      metadata: { total_count: 1 },
    });
    const ended = await owner.ask('DELETE', `${pathOf(zone)}/${json.id}`);
    expect([ended.status, ended.text]).toEqual([204, '']);
    expect(typeOf(await owner.ask('DELETE', `${pathOf(zone)}/${json.id}`))).toEqual([
      404,
      'shared_zone_not_found',
    ]);
    expect((await owner.ask('GET', pathOf(zone))).json.shared_zones).toEqual([]);
  });

  it('is refused where it is there already, for the owner, and for what is no project', async () => {
    const { zone } = await sharedZone();
    expect(typeOf(await share(zone, 'guest'))).toEqual([409, 'duplicate_shared_zone']);
    expect(typeOf(await share(zone, 'owner'))).toEqual([400, 'bad_request']);
    expect(typeOf(await share(zone, ''))).toEqual([400, 'invalid_object']);
    expect(typeOf(await share(zone, '..'))).toEqual([400, 'invalid_object']);
    expect(typeOf(await owner.ask('POST', pathOf(zone), {}))).toEqual([400, 'invalid_object']);
    expect(typeOf(await share({ id: randomUUID() }, 'guest'))).toEqual([404, 'zone_not_found']);
    expect(typeOf(await share({ id: 'none' }, 'guest'))).toEqual([400, 'invalid_uuid']);
    expect(await totalOf(owner, pathOf(zone))).toBe(1);
  });

  it('is created once with an Idempotency-Key', async () => {
    const zone = await owner.makeZone();
    const send = () =>
      owner.ask('POST', pathOf(zone), { target_project_id: 'guest' }, { 'idempotency-key': zone.id });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('is listed in pages, by its target, and in either order', async () => {
    const zone = await owner.makeZone();
    for (const project of ['c', 'a', 'b']) expect((await share(zone, project)).status).toBe(201);
    const targets = async (query: string) => {
      const { json } = await owner.ask('GET', `${pathOf(zone)}${query}`);
      return json.shared_zones.map((one: { target_project_id: string }) => one.target_project_id);
    };
    expect(await targets('')).toEqual(['c', 'a', 'b']);
    expect(await targets('?sort_key=target_project_id&sort_dir=desc')).toEqual(['c', 'b', 'a']);
    expect(await targets('?target_project_id=a')).toEqual(['a']);
    const { json } = await owner.ask('GET', `${pathOf(zone)}?limit=2`);
    expect([json.shared_zones.length, json.metadata.total_count]).toEqual([2, 3]);
    const next = (await owner.ask('GET', json.links.next.slice(service.url.length))).json;
    expect(next.shared_zones.map((one: { target_project_id: string }) => one.target_project_id)).toEqual([
      'b',
    ]);
    expect(next.links.next).toBeUndefined();
  });

  it('is the business of the owner: others see their own at most, and end none', async () => {
    const { zone, shareId } = await sharedZone();
    await share(zone, 'third');
    const seen = (await guest.ask('GET', pathOf(zone))).json;
    expect(seen.shared_zones.map((one: { target_project_id: string }) => one.target_project_id)).toEqual([
      'guest',
    ]);
    expect(seen.metadata.total_count).toBe(1);
    expect(typeOf(await guest.ask('GET', `${pathOf(zone)}/${shareId}`))).toEqual([401, 'access_denied']);
    expect(typeOf(await guest.ask('DELETE', `${pathOf(zone)}/${shareId}`))).toEqual([401, 'access_denied']);
    expect(typeOf(await share(zone, 'fourth', guest))).toEqual([401, 'access_denied']);
    expect(typeOf(await stranger.ask('GET', pathOf(zone)))).toEqual([404, 'zone_not_found']);
    for (const method of ['GET', 'DELETE']) {
      const answer = await stranger.ask(method, `${pathOf(zone)}/${shareId}`);
      expect(typeOf(answer)).toEqual([404, 'shared_zone_not_found']);
    }
    expect(typeOf(await share(zone, 'stranger', stranger))).toEqual([404, 'zone_not_found']);
    const reader = await tenantOf(service, 'owner', 'reader');
    expect(typeOf(await share(zone, 'fourth', reader))).toEqual([401, 'access_denied']);
    expect(await totalOf(owner, pathOf(zone))).toBe(2);
    const other = await owner.makeZone();
    expect(typeOf(await owner.ask('GET', `${pathOf(other)}/${shareId}`))).toEqual([
      404,
      'shared_zone_not_found',
    ]);
  });

  it('is an event, and so is its end', async () => {
    const { zone, shareId } = await sharedZone();
    await owner.ask('DELETE', `${pathOf(zone)}/${shareId}`);
    const told = service.logged.filter((line) => line.share === shareId);
    expect(told.map(({ event }) => event)).toEqual(['share.created', 'share.deleted']);
    for (const line of told) {
      expect(line).toMatchObject({ audit: true, zone_id: zone.id, shared_with: 'guest', project: 'owner' });
    }
  });
});

describe('a shared zone', () => {
  it('says so, to its owner and to the project that it is shared with', async () => {
    const [zone, own] = [await owner.makeZone(), await guest.makeZone()];
    const shown = async (who: Tenant) => (await who.ask('GET', `/v2/zones/${zone.id}`)).json;
    expect((await shown(owner)).shared).toBe(false);
    expect((await guest.ask('GET', `/v2/zones/${zone.id}`)).status).toBe(404);
    const { json } = await share(zone, 'guest');
    expect((await shown(owner)).shared).toBe(true);
    expect(await shown(guest)).toEqual(await shown(owner));
    const filtered = async (query: string) =>
      idsOf((await guest.ask('GET', `/v2/zones${query}`)).json, 'zones');
    expect(await filtered('?shared=true&limit=max')).toContain(zone.id);
    expect(await filtered('?shared=True&limit=max')).not.toContain(own.id);
    expect(await filtered('?shared=false&limit=max')).toContain(own.id);
    await owner.ask('DELETE', `${pathOf(zone)}/${json.id}`);
    expect((await shown(owner)).shared).toBe(false);
    expect((await guest.ask('GET', `/v2/zones/${zone.id}`)).status).toBe(404);
  });

  it('is in the lists of both, once, in their order and their count', async () => {
    const [lister, giver] = [await tenantOf(service, 'lister'), await tenantOf(service, 'giver')];
    const zones: TestZone[] = [];
    for (const number of [3, 2, 1]) {
      zones.push(await lister.makeZone(`number-${number}.lister.example.`));
      const zone = await giver.makeZone(`number-${number}.giver.example.`);
      await share(zone, 'lister', giver);
      await share(zone, 'third', giver);
      zones.push(zone);
    }
    await giver.makeZone();
    const ids = zones.map(({ id }) => id);
    const whole = (await lister.ask('GET', '/v2/zones')).json;
    expect([idsOf(whole, 'zones'), whole.metadata.total_count]).toEqual([ids, 6]);
    const found: string[] = [];
    for (let path = '/v2/zones?limit=2'; path !== ''; ) {
      const { json } = await lister.ask('GET', path);
      expect(json.metadata.total_count).toBe(6);
      found.push(...idsOf(json, 'zones'));
      path = json.links.next?.slice(service.url.length) ?? '';
    }
    expect(found).toEqual(ids);
    const named = (await lister.ask('GET', '/v2/zones?sort_key=name&limit=4')).json;
    const names = ['1.giver', '1.lister', '2.giver', '2.lister'];
    expect(named.zones.map(({ name }: TestZone) => name)).toEqual(
      names.map((one) => `number-${one}.example.`),
    );
    expect(await totalOf(lister, '/v2/zones?name=*giver*&limit=2')).toBe(3);
    expect(await totalOf(lister, '/v2/zones?name=*&limit=1')).toBe(6);
    expect(await totalOf(giver, '/v2/zones')).toBe(4);
  });

  it('shows its recordsets to the project that it is shared with, which writes recordsets of its own', async () => {
    const { zone } = await sharedZone();
    const owners = (await owner.create(zone, recordset(zone, 'www'))).json;
    const made = await guest.create(zone, recordset(zone, 'app'));
    expect([made.status, made.json.project_id]).toEqual([202, 'guest']);
    for (const who of [owner, guest]) {
      const { json } = await who.ask('GET', `/v2/zones/${zone.id}/recordsets`);
      expect(json.recordsets.map((one: { project_id: string }) => one.project_id)).toEqual([
        'owner',
        'owner',
        'owner',
        'guest',
      ]);
      expect(json.metadata.total_count).toBe(4);
      for (const one of [owners, made.json]) {
        expect((await who.ask('GET', recordsetPath(zone, one))).status).toBe(200);
        expect((await who.ask('GET', `/v2/recordsets/${one.id}`)).status).toBe(301);
      }
    }
    const changed = await guest.ask('PUT', recordsetPath(zone, made.json), { ttl: 60 });
    expect([changed.status, changed.json.ttl, changed.json.project_id]).toEqual([202, 60, 'guest']);
    expect((await guest.ask('DELETE', recordsetPath(zone, made.json))).status).toBe(202);
    expect(typeOf(await guest.ask('DELETE', recordsetPath(zone, made.json)))).toEqual([
      404,
      'recordset_not_found',
    ]);
    expect(typeOf(await stranger.create(zone, recordset(zone, 'no')))).toEqual([404, 'zone_not_found']);
    expect((await stranger.ask('GET', `/v2/recordsets/${owners.id}`)).status).toBe(404);
  });

  it('lets the owner write all recordsets, and the other project its own alone', async () => {
    const { zone } = await sharedZone();
    await share(zone, 'third');
    const third = await tenantOf(service, 'third');
    const owners = (await owner.create(zone, recordset(zone, 'www'))).json;
    const [ours, theirs] = [
      (await guest.create(zone, recordset(zone, 'app'))).json,
      (await third.create(zone, recordset(zone, 'third'))).json,
    ];
    const before = await owner.look(zone);
    for (const one of [owners, theirs]) {
      expect(typeOf(await guest.ask('PUT', recordsetPath(zone, one), { ttl: 1 }))).toEqual([
        401,
        'access_denied',
      ]);
      expect(typeOf(await guest.ask('PUT', recordsetPath(zone, one), { records: ['192.0.2.9'] }))).toEqual([
        401,
        'access_denied',
      ]);
      expect(typeOf(await guest.ask('DELETE', recordsetPath(zone, one)))).toEqual([401, 'access_denied']);
    }
    const reader = await tenantOf(service, 'guest', 'reader');
    expect(typeOf(await reader.ask('DELETE', recordsetPath(zone, ours)))).toEqual([401, 'access_denied']);
    expect(typeOf(await reader.create(zone, recordset(zone, 'no')))).toEqual([401, 'access_denied']);
    expect((await reader.ask('GET', recordsetPath(zone, owners))).status).toBe(200);
    expect(await owner.look(zone)).toEqual(before);
    const put = await owner.ask('PUT', recordsetPath(zone, ours), { ttl: 5 });
    expect([put.status, put.json.project_id]).toEqual([202, 'guest']);
    expect((await owner.ask('DELETE', recordsetPath(zone, ours))).status).toBe(202);
    expect((await owner.ask('GET', pathOf(zone))).json.shared_zones).toHaveLength(2);
  });

  it('is not changed, deleted, exported, offered or looked into further by the other project', async () => {
    const { zone } = await sharedZone();
    const before = await owner.look(zone);
    const attempts: [string, string, unknown?][] = [
      ['PATCH', `/v2/zones/${zone.id}`, { ttl: 5 }],
      ['DELETE', `/v2/zones/${zone.id}`],
      ['POST', `/v2/zones/${zone.id}/tasks/export`],
      ['POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {}],
      ['POST', `/v2/zones/${zone.id}/tasks/abandon`],
      ['GET', `/v2/zones/${zone.id}/nameservers`],
    ];
    for (const [method, path, body] of attempts) {
      expect([path, ...typeOf(await guest.ask(method, path, body))]).toEqual([path, 401, 'access_denied']);
    }
    expect(await owner.look(zone)).toEqual(before);
    const child = await guest.ask('POST', '/v2/zones', {
      name: `child.${zone.name}`,
      email: 'a@example.org',
    });
    expect(typeOf(child)).toEqual([403, 'illegal_child']);
  });

  it('keeps its share while the other project has recordsets in it', async () => {
    const { zone, shareId } = await sharedZone();
    const { json } = await guest.create(zone, recordset(zone, 'app'));
    const end = () => owner.ask('DELETE', `${pathOf(zone)}/${shareId}`);
    expect(typeOf(await end())).toEqual([400, 'shared_zone_has_recordsets']);
    await owner.ask('DELETE', recordsetPath(zone, json));
    expect((await end()).status).toBe(204);
    expect((await guest.ask('GET', `/v2/zones/${zone.id}`)).status).toBe(404);
  });

  it('is deleted only with its shares', async () => {
    const { zone } = await sharedZone();
    await guest.create(zone, recordset(zone, 'app'));
    const drop = (headers = {}) => owner.ask('DELETE', `/v2/zones/${zone.id}`, undefined, headers);
    expect(typeOf(await drop())).toEqual([400, 'zone_is_shared']);
    expect(typeOf(await drop({ 'x-designate-delete-shares': 'false' }))).toEqual([400, 'zone_is_shared']);
    const everywhere = { 'x-auth-all-projects': 'true' };
    const abandon = (headers: object) =>
      service.request('POST', `/v2/zones/${zone.id}/tasks/abandon`, {
        token: service.admin,
        headers: { ...everywhere, ...headers },
      });
    expect(typeOf(await abandon({}))).toEqual([400, 'zone_is_shared']);
    expect((await drop({ 'x-designate-delete-shares': 'true' })).status).toBe(202);
    for (const who of [owner, guest]) expect((await who.ask('GET', `/v2/zones/${zone.id}`)).status).toBe(404);
    const again = await owner.makeZone(zone.name);
    expect((await owner.ask('GET', pathOf(again))).json.shared_zones).toEqual([]);
    await share(again, 'guest');
    const path = `/v2/zones/${again.id}/tasks/abandon`;
    const headers = { ...everywhere, 'x-designate-delete-shares': 'true' };
    expect((await service.request('POST', path, { token: service.admin, headers })).status).toBe(204);
  });

  it('counts what is in it for its owner, whoever creates it', async () => {
    const { zone } = await sharedZone();
    for (const name of ['a', 'b']) expect((await guest.create(zone, recordset(zone, name))).status).toBe(202);
    for (const name of ['c', 'd']) expect((await owner.create(zone, recordset(zone, name))).status).toBe(202);
    for (const who of [owner, guest]) {
      expect(typeOf(await who.create(zone, recordset(zone, 'e')))).toEqual([413, 'over_quota']);
    }
    const limit = { token: service.admin, body: { recordset_records: 1 } };
    const body = { ...recordset(zone, 'f'), records: ['192.0.2.1', '192.0.2.2'] };
    await service.request('PATCH', '/v2/quotas/guest', limit);
    const roomy = await sharedZone();
    expect((await guest.create(roomy.zone, { ...body, name: `f.${roomy.zone.name}` })).status).toBe(202);
    await service.request('DELETE', '/v2/quotas/guest', { token: service.admin });
  });
});

it('counts the recordsets of each project, in its zones and in those of others', async () => {
  const [one, two] = [await tenantOf(service, 'count-one'), await tenantOf(service, 'count-two')];
  const totals = async () => [await totalOf(one, '/v2/recordsets'), await totalOf(two, '/v2/recordsets')];
  const zone = await one.makeZone();
  const { json: given } = await share(zone, 'count-two', one);
  await one.create(zone, recordset(zone, 'a'));
  expect(await totals()).toEqual([3, 0]);
  const made = (await two.create(zone, recordset(zone, 'b'))).json;
  await two.create(zone, recordset(zone, 'c'));
  expect(await totals()).toEqual([3, 2]);
  expect((await two.ask('GET', '/v2/recordsets')).json.recordsets.map(({ name }: TestZone) => name)).toEqual([
    `b.${zone.name}`,
    `c.${zone.name}`,
  ]);
  expect((await one.ask('GET', '/v2/recordsets')).json.recordsets).toHaveLength(3);
  await two.ask('PUT', recordsetPath(zone, made), { records: ['192.0.2.7', '192.0.2.8'] });
  await one.ask('DELETE', recordsetPath(zone, made));
  expect(await totals()).toEqual([3, 1]);
  expect(given.project_id).toBe('count-one');
  await one.ask('DELETE', `/v2/zones/${zone.id}`, undefined, { 'x-designate-delete-shares': 'true' });
  expect(await totals()).toEqual([0, 0]);
});

describe('a transfer', () => {
  async function transfer(zone: TestZone, from: Tenant, to: Tenant): Promise<void> {
    const { json } = await from.ask('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {});
    const accept = { zone_transfer_request_id: json.id, key: json.key };
    expect((await to.ask('POST', '/v2/zones/tasks/transfer_accepts', accept)).status).toBe(201);
  }
  const projectsIn = async (zone: TestZone, who: Tenant) =>
    (await who.ask('GET', `/v2/zones/${zone.id}/recordsets`)).json.recordsets.map(
      (one: { project_id: string }) => one.project_id,
    );

  it('moves the recordsets of the owner alone, and keeps the shares', async () => {
    const { zone, shareId } = await sharedZone();
    await owner.create(zone, recordset(zone, 'www'));
    await guest.create(zone, recordset(zone, 'app'));
    await transfer(zone, owner, stranger);
    expect(await projectsIn(zone, stranger)).toEqual(['stranger', 'stranger', 'stranger', 'guest']);
    expect((await owner.ask('GET', `/v2/zones/${zone.id}`)).status).toBe(404);
    const kept = (await stranger.ask('GET', `${pathOf(zone)}/${shareId}`)).json;
    expect(kept).toMatchObject({ project_id: 'stranger', target_project_id: 'guest' });
    expect((await guest.create(zone, recordset(zone, 'more'))).status).toBe(202);
    expect(typeOf(await owner.ask('GET', `${pathOf(zone)}/${shareId}`))).toEqual([
      404,
      'shared_zone_not_found',
    ]);
  });

  it('ends the share of the new owner, whose recordsets are now in a zone of its own', async () => {
    const [from, to] = [await tenantOf(service, 'share-from'), await tenantOf(service, 'share-to')];
    const zone = await from.makeZone();
    await share(zone, 'share-to', from);
    await share(zone, 'share-from-other', from);
    await to.create(zone, recordset(zone, 'app'));
    await transfer(zone, from, to);
    expect(await projectsIn(zone, to)).toEqual(['share-to', 'share-to', 'share-to']);
    const { json } = await to.ask('GET', pathOf(zone));
    expect(json.shared_zones.map((one: { target_project_id: string }) => one.target_project_id)).toEqual([
      'share-from-other',
    ]);
    expect(await totalOf(to, '/v2/recordsets')).toBe(3);
    expect(await totalOf(to, '/v2/zones')).toBe(1);
    expect(await totalOf(from, '/v2/recordsets')).toBe(0);
    expect((await share(zone, 'share-from', to)).status).toBe(201);
    expect(await projectsIn(zone, from)).toHaveLength(3);
  });
});

describe('in parallel', () => {
  const ROUNDS = 15 * Number(process.env.TEST_RUNS ?? 1);

  it('a share does not end under a recordset that is being created', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { zone, shareId } = await sharedZone();
      const [made, ended] = await Promise.all([
        guest.create(zone, recordset(zone, 'app')),
        owner.ask('DELETE', `${pathOf(zone)}/${shareId}`),
      ]);
      expect([
        [202, 400],
        [404, 204],
      ]).toContainEqual([made.status, ended.status]);
      const left = (await owner.ask('GET', `/v2/zones/${zone.id}/recordsets`)).json.recordsets;
      expect(left).toHaveLength(made.status === 202 ? 3 : 2);
    }
  });

  it('a zone is not shared while it is deleted, nor with its new owner while it is transferred', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const zone = await owner.makeZone();
      const [shared, deleted] = await Promise.all([
        share(zone, 'guest'),
        owner.ask('DELETE', `/v2/zones/${zone.id}`),
      ]);
      expect([
        [201, 400],
        [404, 202],
      ]).toContainEqual([shared.status, deleted.status]);
      const other = await owner.makeZone();
      const { json } = await owner.ask('POST', `/v2/zones/${other.id}/tasks/transfer_requests`, {});
      const body = { zone_transfer_request_id: json.id, key: json.key };
      const [late, accepted] = await Promise.all([
        share(other, 'guest'),
        guest.ask('POST', '/v2/zones/tasks/transfer_accepts', body),
      ]);
      expect([201, 404]).toContain(late.status);
      expect(accepted.status).toBe(201);
      expect((await guest.ask('GET', pathOf(other))).json.shared_zones).toEqual([]);
    }
  });
});

it('leaves nothing behind that verification would find', async () => {
  const { out, status } = await runHere(['verify'], storeOptions(service.dataDir));
  expect([out, status]).toEqual([expect.stringMatching(/^verified .* \d+ shares, .*: 0 faults\n$/), 0]);
});
