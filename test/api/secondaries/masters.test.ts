/** What a service does with masters that it may not ask, and what tenants learn of those that cannot be used. */
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TYPE } from '../../../src/dns/record-types.ts';
import { OPCODE, RCODE } from '../../../src/dns/wire/codes.ts';
import { askByUdp } from '../../support/dns-client.ts';
import { until } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { runHere } from '../../support/run-here.ts';
import { openMaster, record, type ScriptedMaster, soaRecord } from '../../support/scripted-master.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf, storeOptions } from '../../support/store.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';

const LOCAL = {
  ZONEWARDEN_SECONDARY__ALLOWED_MASTERS: '127.0.0.0/8',
  ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '1',
};

let service: TestService;
let shop: Tenant;
let master: ScriptedMaster;
let mute: Server;
let mdns: { readonly host: string; readonly port: number };
beforeAll(async () => {
  mdns = { host: '127.0.0.1', port: await freePort() };
  service = await startTestService({ ...LOCAL, ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${mdns.port}` });
  shop = await tenantOf(service, 'shop');
  master = await openMaster();
  mute = createServer().listen(0, '127.0.0.1');
});
afterAll(async () => {
  await master.close();
  mute.close();
  await service.remove();
});

const portOf = (server: Server): number => (server.address() as { port: number }).port;
async function create(name: string, port: number): Promise<string> {
  const body = { name, type: 'SECONDARY', masters: [`127.0.0.1:${port}`] };
  const { status, json } = await shop.ask('POST', '/v2/zones', body);
  expect(status).toBe(202);
  return json.id;
}
const publicationOf = (id: string): Promise<Answer> => shop.ask('GET', `/v2/zones/${id}/publication`);
const faultOf = async (id: string): Promise<string | null> => (await publicationOf(id)).json.transfer.fault;
const causeOf = async (id: string): Promise<string> => {
  const headers = { 'x-auth-all-projects': 'true' };
  const path = `/v2/zones/${id}/publication`;
  return (await service.request('GET', path, { token: service.admin, headers })).json.transfer.fault;
};
const verify = (options = {}) => runHere(['verify'], { ...storeOptions(service.dataDir), ...options });

describe('a master that cannot be used', () => {
  it('is told to tenants in one sentence, whatever is at its address, and to administrators with the cause', async () => {
    master.soa = () => [];
    master.soaTwist = () => ({ header: { rcode: RCODE.REFUSED } });
    const zones = [
      await create('closed.example.', await freePort()),
      await create('mute.example.', portOf(mute)),
      await create('refusing.example.', master.port),
    ];
    await until(async () => {
      for (const id of zones) expect(await faultOf(id)).not.toBeNull();
    });
    const told = await Promise.all(zones.map(faultOf));
    expect(new Set(told).size).toBe(1);
    expect(told[0]).toMatch(/^The zone could not be transferred from its masters\..*an administrator/);
    expect(told[0]).not.toMatch(/127\.0\.0\.1|refuse|respon/i);
    const [closed, silent, refusing] = await Promise.all(zones.map(causeOf));
    expect(closed).toMatch(/^Master 127\.0\.0\.1:\d+: Connection refused/);
    expect(silent).toMatch(/^Master 127\.0\.0\.1:\d+: .*(respond|answer)/);
    expect(refusing).toMatch(/^Master 127\.0\.0\.1:\d+: .*REFUSED/);
  });

  it('is another thing than a zone that is refused here, which tenants are told', async () => {
    const name = 'large.example.';
    master.soaTwist = () => ({});
    master.soa = () => [soaRecord(name, 7)];
    master.transfer = (session) =>
      session.send([
        soaRecord(name, 7),
        record(name, TYPE.NS, 'ns1.example.'),
        record(`a.${name}`, TYPE.A, '192.0.2.1'),
        record(`b.${name}`, TYPE.A, '192.0.2.1'),
        soaRecord(name, 7),
      ]);
    const id = await create(name, master.port);
    await until(async () => expect(await faultOf(id)).toMatch(/quota/i));
    expect(await causeOf(id)).toBe(await faultOf(id));
  });
});

describe('a master that is no longer allowed', () => {
  it('is not asked any more, and its zone keeps what it has', async () => {
    const name = 'kept.example.';
    const soa = soaRecord(name, 7);
    master.soaTwist = () => ({});
    master.soa = () => [soa];
    master.transfer = (session) =>
      session.send([
        soa,
        record(name, TYPE.NS, 'ns1.example.'),
        record(`www.${name}`, TYPE.A, '192.0.2.80'),
        soa,
      ]);
    const id = await create(name, master.port);
    await until(async () => expect((await shop.ask('GET', `/v2/zones/${id}`)).json.serial).toBe(7));
    expect((await verify(LOCAL)).out).not.toContain('notice');

    await service.restart({ ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${mdns.port}` });
    const refused = `127.0.0.1:${master.port}`;
    const warning = { zone: name, reason: expect.stringContaining(refused) };
    await until(() => expect(service.logged).toContainEqual(expect.objectContaining(warning)));

    master.heard.length = 0;
    master.soa = () => [soaRecord(name, 8)];
    const notice = { name, type: 'SOA', header: { opcode: OPCODE.NOTIFY, aa: true } } as const;
    expect((await askByUdp(mdns, notice)).header.rcode).toBe(RCODE.REFUSED);
    await inStoreOf(service.dataDir, `update secondaries set asked_at = '' where zone_id = '${id}'`);
    expect((await shop.ask('POST', `/v2/zones/${id}/tasks/xfr`)).status).toBe(202);
    await until(async () => expect(await faultOf(id)).toMatch(/^The zone could not be transferred/));
    expect(await causeOf(id)).toMatch(`It is not transferred from ${refused}, which the option`);
    expect(master.heard).toEqual([]);
    const { recordsets } = (await shop.ask('GET', `/v2/zones/${id}/recordsets?type=A`)).json;
    expect(recordsets).toEqual([expect.objectContaining({ name: `www.${name}`, records: ['192.0.2.80'] })]);

    const { status, out } = await verify();
    expect(status).toBe(0);
    const lines = out.split('\n').filter((line) => line.includes(refused));
    expect(lines).toContainEqual(
      expect.stringMatching(`^notice: zone ${id} \\(${name}\\): It is not transferred from ${refused}`),
    );
    const path = `/v2/zones/${id}`;
    expect((await shop.ask('PATCH', path, { description: 'kept' })).status).toBe(202);
    expect((await shop.ask('PATCH', path, { masters: [refused] })).status).toBe(202);
    expect(
      (await shop.ask('PATCH', path, { masters: [refused, '127.0.0.1:1'] })).json.errors.errors,
    ).toMatchObject([{ path: ['masters', 1] }]);
  });
});
