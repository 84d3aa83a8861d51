import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually, until } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { dig, rdataAt, serialAt, signedWith, transfer } from '../support/name-servers/dig.ts';
import { type Master, type MasterBrand, startMaster, ZONE } from '../support/name-servers/masters.ts';
import type { NameServer } from '../support/name-servers/place.ts';
import { type Publishing, type ShownZone, startPublishing } from '../support/name-servers/publishing.ts';
import { type Brand, startNameServer } from '../support/name-servers/servers.ts';

const WWW = `www.${ZONE}`;
const LOCAL = {
  ZONEWARDEN_SECONDARY__ALLOWED_MASTERS: '127.0.0.0/8',
  ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1',
};
/** What is not known here, and what has pointers in BIND's transfers. */
const RECORDS = `www A 192.0.2.1
www TXT "hello" "world"
m MINFO mailbox errors
h HINFO "a" "b"
t TYPE65280 \\# 3 010203
`;

let publishing: Publishing | undefined;
let master: Master | undefined;
let server: NameServer | undefined;
afterEach(async () => {
  await server?.remove();
  await master?.remove();
  await publishing?.remove();
  server = undefined;
  master = undefined;
  publishing = undefined;
});

/** Makes the zone with a master that may not be there yet. */
async function makeSecondary(port: number): Promise<ShownZone> {
  const body = { name: ZONE, type: 'SECONDARY', masters: [`127.0.0.1:${port}`] };
  const made = await publishing!.ask('POST', '/v2/zones', body);
  expect([made.status, made.json]).toEqual([202, expect.objectContaining({ type: 'SECONDARY' })]);
  return made.json as ShownZone;
}

async function makeKey(zone: ShownZone): Promise<string> {
  const secret = randomBytes(32).toString('base64');
  const key = { name: 'shop-key', algorithm: 'hmac-sha256', secret, scope: 'ZONE', resource_id: zone.id };
  expect((await publishing!.ask('POST', '/v2/tsigkeys', key)).status).toBe(201);
  return secret;
}

const transferAnew = async (zone: ShownZone): Promise<void> => {
  expect((await publishing!.ask('POST', `/v2/zones/${zone.id}/tasks/xfr`)).status).toBe(202);
};

const arrived = (type: string, name: string, rdata: string[]): Promise<void> =>
  until(async () => expect((await rdataAt(server!, name, type)).join()).toBe(rdata.join()));

const kinds = (): unknown[] =>
  publishing!.service.log.filter(({ msg }) => msg === 'transferred a secondary zone').map(({ kind }) => kind);

describe.each<[MasterBrand, Brand]>([
  ['BIND', 'Knot'],
  ['Knot', 'BIND'],
])('a zone whose master is %s', (brand, pool) => {
  async function opened(hasKey: boolean): Promise<ShownZone> {
    publishing = await startPublishing(LOCAL);
    server = await startNameServer(pool, publishing.upstream);
    await publishing.applyPool([server]);
    const port = await freePort();
    const zone = await makeSecondary(port);
    const secret = hasKey ? await makeKey(zone) : undefined;
    master = await startMaster(brand, { port, noticePort: publishing.upstream.port, secret }, RECORDS);
    await transferAnew(zone);
    return zone;
  }

  it(`comes whole, and stands on ${pool} with the master's SOA, NS and serial`, async () => {
    const zone = await opened(false);
    await arrived('A', WWW, ['192.0.2.1']);
    expect(await serialAt(server!, ZONE)).toBe(await serialAt(master!, ZONE));
    const [there, here] = await Promise.all(
      [master!, server!].map(async (one) => (await dig(one, ZONE, 'SOA', '+noauthority')).records),
    );
    expect(here).toEqual(there);
    expect(await rdataAt(server!, ZONE, 'NS')).toEqual(['ns1.example.net.']);
    await publishing!.zoneIs(zone.id, 'ACTIVE');
    const { records } = await transfer(
      { host: '127.0.0.1', port: publishing!.upstream.port },
      ZONE,
      ...signedWith('pool-key', publishing!.upstream.secret),
    );
    const others = records.filter(({ type }) => !['SOA', 'NS', 'A', 'TXT'].includes(type));
    expect(others.map(({ name, type }) => `${name} ${type}`).sort()).toEqual(
      [`h.${ZONE} HINFO`, `m.${ZONE} MINFO`, `t.${ZONE} TYPE65280`].sort(),
    );
    expect(others.find(({ type }) => type === 'MINFO')?.rdata).toBe(`mailbox.${ZONE} errors.${ZONE}`);
  });

  it('changes by differences as soon as the master says so, all of it signed', async () => {
    await opened(true);
    await arrived('A', WWW, ['192.0.2.1']);
    await master!.update(`update add ${WWW} 300 A 192.0.2.2`, `update add new.${ZONE} 60 AAAA 2001:db8::1`);
    await arrived('A', WWW, ['192.0.2.1', '192.0.2.2']);
    await arrived('AAAA', `new.${ZONE}`, ['2001:db8::1']);
    await master!.update(`update delete ${WWW} A 192.0.2.1`);
    await arrived('A', WWW, ['192.0.2.2']);
    expect(await serialAt(server!, ZONE)).toBe(await serialAt(master!, ZONE));
    // The service writes its log after the zone has changed.
    await until(async () => expect(kinds()).toContain('differences'));
    expect(master!.served('IXFR')).toBeGreaterThan(0);
    expect(master!.served('AXFR')).toBeGreaterThan(0);
  });
});

describe('a master that wants a key which the zone does not have', () => {
  it('is named in the reason, and the zone comes once it has the key', async () => {
    publishing = await startPublishing(LOCAL);
    server = await startNameServer('BIND', publishing.upstream);
    await publishing.applyPool([server]);
    const port = await freePort();
    const secret = randomBytes(32).toString('base64');
    master = await startMaster('BIND', { port, noticePort: publishing.upstream.port, secret }, RECORDS);
    const zone = await makeSecondary(port);
    const reason = await eventually(async () => {
      const { json } = await publishing!.ask('GET', `/v2/zones/${zone.id}/publication`);
      return (json.transfer.fault as string | null) ?? undefined;
    });
    expect(reason).toContain(`Master 127.0.0.1:${port}: The server refuses the transfer (REFUSED)`);
    const key = { name: 'shop-key', algorithm: 'hmac-sha256', secret, scope: 'ZONE', resource_id: zone.id };
    expect((await publishing.ask('POST', '/v2/tsigkeys', key)).status).toBe(201);
    await transferAnew(zone);
    await arrived('A', WWW, ['192.0.2.1']);
  });
});
