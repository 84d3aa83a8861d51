/** Who sees the history of a zone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
let admin: Tenant;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  tenant = await tenantOf(service, 'tenant');
  admin = await tenantOf(service, 'admin', 'admin');
});
afterAll(() => service.remove());

interface Shown {
  readonly id: string;
  readonly [key: string]: unknown;
}

const changesOf = async (zone: TestZone, query = ''): Promise<readonly Shown[]> =>
  (await tenant.ask('GET', `/v2/zones/${zone.id}/changes${query}`)).json.changes;
const contentsOf = (zone: TestZone, query: string) =>
  tenant.ask('GET', `/v2/zones/${zone.id}/contents?${query}`);
const idIn = ({ headers }: { headers: Headers }) => headers.get('x-zonewarden-change');

describe('who may see it', () => {
  it('is not a project that the zone is shared with, nor one that knows the id', async () => {
    const zone = await tenant.makeZone();
    const guest = await tenantOf(service, 'guest');
    await tenant.ask('POST', `/v2/zones/${zone.id}/shares`, { target_project_id: 'guest' });
    const stranger = await tenantOf(service, 'stranger');
    const made = await guest.create(zone, { name: `g.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
    expect(made.status).toBe(202);
    for (const path of [
      'changes',
      `changes/${idIn(made)}`,
      `contents?serial=${zone.serial}`,
      'diff?from=1&to=2',
    ]) {
      expect((await guest.ask('GET', `/v2/zones/${zone.id}/${path}`)).status).toBe(401);
      expect((await stranger.ask('GET', `/v2/zones/${zone.id}/${path}`)).status).toBe(404);
    }
    // The owner sees what the guest did, but not which of its users did it.
    const [own] = await changesOf(zone);
    expect(own!.actor).toEqual({ kind: 'request', project_id: 'guest' });
    const all = { 'x-auth-all-projects': 'true' };
    const { json } = await admin.ask('GET', `/v2/zones/${zone.id}/changes`, undefined, all);
    expect(json.changes[0].actor).toMatchObject({ project_id: 'guest', user_id: expect.any(String) });
  });

  it('is an owner from when it got the zone, and an administrator from the beginning', async () => {
    const zone = await tenant.makeZone();
    const receiver = await tenantOf(service, 'receiver');
    const before = await tenant.create(zone, { name: `b.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
    const { serial } = await tenant.look(zone);
    const { json: request } = await tenant.ask('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {});
    const { id: zone_transfer_request_id, key } = request;
    await receiver.ask('POST', '/v2/zones/tasks/transfer_accepts', { zone_transfer_request_id, key });
    const after = await receiver.create(zone, { name: `a.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
    const path = `/v2/zones/${zone.id}`;
    const { json: seen } = await receiver.ask('GET', `${path}/changes`);
    expect(seen.changes.map(({ door }: Shown) => door)).toEqual(['api', 'transfer']);
    expect(seen.changes[0].id).toBe(idIn(after));
    expect((await receiver.ask('GET', `${path}/changes/${idIn(before)}`)).json.type).toBe('change_not_found');
    expect((await receiver.ask('GET', `${path}/contents?serial=${serial}`)).status).toBe(200);
    expect((await receiver.ask('GET', `${path}/contents?serial=${zone.serial}`)).status).toBe(404);
    const all = { 'x-auth-all-projects': 'true' };
    expect((await admin.ask('GET', `${path}/changes`, undefined, all)).json.changes).toHaveLength(3);
    expect((await admin.ask('GET', `${path}/contents?serial=${zone.serial}`, undefined, all)).status).toBe(
      200,
    );
  });

  it('is an owner who got the zone back only from then on, whatever the request asks', async () => {
    const zone = await tenant.makeZone();
    const heir = await tenantOf(service, 'heir');
    const give = async (from: Tenant, to: Tenant) => {
      const { json } = await from.ask('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {});
      const accept = { zone_transfer_request_id: json.id, key: json.key };
      expect((await to.ask('POST', '/v2/zones/tasks/transfer_accepts', accept)).status).toBe(201);
    };
    const made = await tenant.create(zone, { name: `b.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
    const { serial } = await tenant.look(zone);
    await give(tenant, heir);
    const foreign = await heir.create(zone, { name: `h.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
    const between = await tenant.ask('GET', `/v2/zones/${zone.id}/changes`);
    expect(between.status).toBe(404);
    await give(heir, tenant);
    const back = await tenant.look(zone);
    const own = await tenant.create(zone, { name: `c.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
    const path = `/v2/zones/${zone.id}`;
    const [last, got, ...others] = await changesOf(zone);
    expect([last!.id, got!.door, others]).toEqual([idIn(own), 'transfer', []]);
    for (const query of [
      `?until=${got!.at}`,
      `?name=b.${zone.name}`,
      `?name=b.*&type=A`,
      `?name=h.${zone.name}`,
      '?since=2020-01-01',
    ])
      expect((await changesOf(zone, query)).filter(({ id }) => id !== idIn(own) && id !== got!.id)).toEqual(
        [],
      );
    expect(await changesOf(zone, '?door=api')).toHaveLength(1);
    for (const id of [idIn(made), idIn(foreign)]) {
      expect((await tenant.ask('GET', `${path}/changes/${id}`)).json.type).toBe('change_not_found');
      expect((await tenant.ask('GET', `${path}/changes?marker=${id}`)).json.type).toBe('marker_not_found');
      const reverted = await tenant.ask('POST', `${path}/changes/${id}/revert`, {});
      expect([reverted.status, reverted.json.type]).toEqual([404, 'change_not_found']);
    }
    const { json: ofRecordset } = await tenant.ask('GET', `/v2/recordsets/${made.json.id}/changes`);
    expect(ofRecordset.changes).toEqual([]);
    // The state in which it got the zone is the first that it sees.
    expect((await contentsOf(zone, `serial=${back.serial}`)).status).toBe(200);
    for (const former of [zone.serial, serial]) {
      expect((await contentsOf(zone, `serial=${former}`)).json.type).toBe('change_not_found');
      const diff = await tenant.ask('GET', `${path}/diff?from=${former}&to=${back.serial}`);
      expect([diff.status, diff.json.type]).toEqual([404, 'change_not_found']);
      const restored = await tenant.ask('POST', `${path}/restore`, { serial: former });
      expect([restored.status, restored.json.type]).toEqual([404, 'change_not_found']);
    }
    const all = { 'x-auth-all-projects': 'true' };
    expect((await admin.ask('GET', `${path}/changes`, undefined, all)).json.changes).toHaveLength(5);
    const first = await admin.ask('GET', `${path}/changes/${idIn(made)}`, undefined, all);
    expect(first.status).toBe(200);
  });
});
