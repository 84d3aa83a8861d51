/** The timers in the SOA of a zone: those of its file, those that its owner sets, and those of the options. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { runHere } from '../../support/run-here.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';
import { exportFile, importFile } from '../../support/zone-files.ts';

const OWN = { refresh: 7200, retry: 900, expire: 2_419_200, minimum: 300 };
const BASE = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };

let service: TestService;
let member: string;
let rival: string;
beforeAll(async () => {
  service = await startTestService(BASE);
  member = await service.token('shop', 'member');
  rival = await service.token('rival', 'member');
});
afterAll(() => service.remove());

const ask = (method: string, path: string, body?: object, token = member): Promise<Answer> =>
  service.request(method, path, { token, ...(body && { body }) });
const show = async (id: string, token = member) =>
  (await ask('GET', `/v2/zones/${id}`, undefined, token)).json;
const patch = (id: string, body: object, token = member) => ask('PATCH', `/v2/zones/${id}`, body, token);

let drawn = 0;
const newName = (): string => `timers-${++drawn}.example.`;
const makeZone = async () =>
  (await ask('POST', '/v2/zones', { name: newName(), email: 'a@example.org' })).json;

/** Imports a zone file whose SOA has these timers. */
async function imported(timers: string, token = member) {
  const soa = `@ 3600 IN SOA ns1 hostmaster 7 ${timers}`;
  const { status, json } = await importFile(service, token, `$ORIGIN ${newName()}\n${soa}\n`);
  expect([status, json.status]).toEqual([202, 'COMPLETE']);
  return json;
}

/** The timers in the SOA of a zone. */
async function published(id: string, token = member): Promise<readonly number[]> {
  const { json } = await ask('GET', `/v2/zones/${id}/recordsets?type=SOA`, undefined, token);
  return json.recordsets[0].records[0].split(' ').slice(3).map(Number);
}

const pathsOf = ({ json }: Answer): string[] =>
  json.errors.errors.map(({ path }: { path: string[] }) => path.join('.'));

describe('an import', () => {
  it('keeps the timers of the file: the zone shows them, and the SOA and an export have them', async () => {
    const { zone_id: id, message } = await imported('2h 15m 4w 5m');
    const zone = await show(id);
    expect(zone.soa).toEqual(OWN);
    expect(message).toBe(`${zone.name} imported`);
    expect(await published(id)).toEqual([7200, 900, 2_419_200, 300]);
    expect((await exportFile(service, member, id)).text).toContain(' 7200 900 2419200 300\n');
    const { zones } = (await ask('GET', `/v2/zones?name=${zone.name}`)).json;
    expect(zones).toEqual([zone]);
    const [created] = await eventsOf(service, `&target_id=${id}`);
    expect(created!.after).toMatchObject({ soa: OWN });
  });

  it('adjusts those out of bounds, and says so', async () => {
    const { zone_id: id, message } = await imported('60 10 100 172800');
    const { name, soa } = await show(id);
    expect(soa).toEqual({ refresh: 300, retry: 60, expire: 360, minimum: 86_400 });
    expect(message).toBe(
      `${name} imported; SOA timers adjusted: refresh from 60 to 300, retry from 10 to 60, expire from 100 to 360, minimum from 172800 to 86400`,
    );
    expect(await published(id)).toEqual([300, 60, 360, 86_400]);
    const { zone_id: greatest } = await imported('4294967295 4294967295 4294967295 0');
    const { refresh, retry, expire } = (await show(greatest)).soa;
    expect(refresh + retry).toBeLessThanOrEqual(expire);
    expect((await patch(greatest, { soa: (await show(greatest)).soa })).status).toBe(202);
  });

  it('of a file with the timers of the options makes a zone that follows the options', async () => {
    const { id } = await makeZone();
    const { text } = await exportFile(service, member, id);
    await ask('DELETE', `/v2/zones/${id}`);
    const again = await importFile(service, member, text);
    expect(await show(again.json.zone_id)).not.toHaveProperty('soa');
  });
});

describe('PATCH of a zone', () => {
  it('sets the timers, and takes a step of the serial', async () => {
    const zone = await makeZone();
    expect(zone).not.toHaveProperty('soa');
    const { status, json } = await patch(zone.id, { soa: OWN });
    expect([status, json.soa]).toEqual([202, OWN]);
    expect(json.serial).toBeGreaterThan(zone.serial);
    expect(await published(zone.id)).toEqual([7200, 900, 2_419_200, 300]);
    const [changed] = await eventsOf(service, `&target_id=${zone.id}`);
    expect(changed).toMatchObject({ type: 'zone.changed', before: { soa: null }, after: { soa: OWN } });
  });

  it('keeps the timers that it leaves out: those of the zone, or those of the options', async () => {
    const { id } = await makeZone();
    const [refresh] = await published(id);
    const { json } = await patch(id, { soa: { expire: 2_419_200 } });
    expect(json.soa).toEqual({ refresh, retry: 600, expire: 2_419_200, minimum: 3600 });
    expect((await patch(id, { soa: { minimum: 60 } })).json.soa).toEqual({ ...json.soa, minimum: 60 });
    expect((await patch(id, { soa: {} })).json.soa).toEqual({ ...json.soa, minimum: 60 });
    expect((await patch(id, { ttl: 60 })).json.soa).toEqual({ ...json.soa, minimum: 60 });
  });

  it('with null returns to the options', async () => {
    const { id } = await makeZone();
    const before = await published(id);
    await patch(id, { soa: OWN });
    const { json } = await patch(id, { soa: null });
    expect(json).not.toHaveProperty('soa');
    expect(await published(id)).toEqual(before);
    const [changed] = await eventsOf(service, `&target_id=${id}`);
    expect(changed).toMatchObject({ before: { soa: OWN }, after: { soa: null } });
  });

  it('takes back what GET answers, without a step of the serial', async () => {
    for (const soa of [OWN, null]) {
      const { id } = await makeZone();
      await patch(id, { soa });
      const zone = await show(id);
      const { status, json } = await patch(id, { ...zone, description: 'edited' });
      expect([status, json.serial, json.soa]).toEqual([202, zone.serial, zone.soa]);
    }
  });

  it.each([
    [{ refresh: 299 }, 'soa.refresh'],
    [{ retry: 59 }, 'soa.retry'],
    [{ minimum: 86_401 }, 'soa.minimum'],
    [{ minimum: -1 }, 'soa.minimum'],
    [{ refresh: 7200, retry: 900, expire: 8099 }, 'soa.expire'],
    [{ expire: 3000 }, 'soa.expire'],
    [{ expire: 2_147_483_648 }, 'soa.expire'],
    [{ refresh: '3600' }, 'soa.refresh'],
    [{ refresh: null }, 'soa.refresh'],
    [{ serial: 7 }, 'soa.serial'],
  ])('refuses %j, and says which timer is wrong', async (soa, path) => {
    const zone = await makeZone();
    const answer = await patch(zone.id, { soa });
    expect([answer.status, answer.json.type, pathsOf(answer)]).toEqual([400, 'invalid_object', [path]]);
    expect(await show(zone.id)).toMatchObject({ serial: zone.serial, version: 1 });
  });

  it("refuses timers of a secondary zone, whose SOA is its master's", async () => {
    const body = { name: newName(), type: 'SECONDARY', masters: ['192.0.2.1'] };
    const { id } = (await ask('POST', '/v2/zones', body)).json;
    expect(pathsOf(await patch(id, { soa: { retry: 900 } }))).toEqual(['soa']);
    expect((await patch(id, { soa: null })).status).toBe(202);
  });

  it("of another project's zone is 404", async () => {
    const { id } = await makeZone();
    expect((await patch(id, { soa: OWN }, rival)).status).toBe(404);
  });
});

it('stays with the zone when another project takes it over', async () => {
  const { id } = await makeZone();
  await patch(id, { soa: OWN });
  const request = (await ask('POST', `/v2/zones/${id}/tasks/transfer_requests`, {})).json;
  const body = { key: request.key, zone_transfer_request_id: request.id };
  expect((await ask('POST', '/v2/zones/tasks/transfer_accepts', body, rival)).status).toBe(201);
  expect((await show(id, rival)).soa).toEqual(OWN);
  expect(await published(id, rival)).toEqual([7200, 900, 2_419_200, 300]);
});

it('is checked by verify', async () => {
  expect(await runHere(['verify'], storeOptions(service.dataDir))).toMatchObject({ status: 0 });
});

describe('a service with other options', () => {
  const OTHER = { ...BASE, ZONEWARDEN_DEFAULT__DEFAULT_SOA_EXPIRE: '604800' };
  afterAll(() => service.restart());

  it('gives them to a zone without timers of its own, and leaves those of the others', async () => {
    const [follows, has] = [await makeZone(), await makeZone()];
    await patch(has.id, { soa: OWN });
    await service.restart(OTHER);
    for (const { id } of [follows, has]) await patch(id, { email: 'b@example.org' });
    expect((await published(follows.id))[2]).toBe(604_800);
    expect((await published(has.id))[2]).toBe(OWN.expire);
  });

  it('can forbid the timers, and nothing else, by the rule update_zone_soa', async () => {
    const [plain, own] = [await makeZone(), await makeZone()];
    await patch(own.id, { soa: OWN });
    const file = join(service.dataDir, 'policy.yaml');
    writeFileSync(file, 'update_zone_soa: role:admin\n');
    await service.restart({ ...BASE, ZONEWARDEN_OSLO_POLICY__POLICY_FILE: file });
    expect((await patch(plain.id, { soa: OWN })).status).toBe(401);
    expect((await patch(own.id, { soa: null })).status).toBe(401);
    expect((await patch(own.id, { ...(await show(own.id)), ttl: 60 })).status).toBe(202);
    const headers = { 'x-auth-all-projects': 'true' };
    const asAdmin = { token: service.admin, headers, body: { soa: OWN } };
    expect((await service.request('PATCH', `/v2/zones/${plain.id}`, asAdmin)).status).toBe(202);
  });
});
