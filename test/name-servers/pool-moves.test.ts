/** A zone that moves between two pools, before the servers of both. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, until } from '../support/eventually.ts';
import { rdataAt, serialAt } from '../support/name-servers/dig.ts';
import type { NameServer } from '../support/name-servers/place.ts';
import { type Publishing, type ShownZone, startPublishing } from '../support/name-servers/publishing.ts';
import { startNameServer } from '../support/name-servers/servers.ts';

const SECOND = '22222222-2222-4222-8222-222222222222';
const DEFAULT = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const NEW_NS = 'ns1.second.example.';

const ofSecond = (configuration: string): string =>
  configuration.replaceAll('catalog.invalid', 'second.invalid').replaceAll('pool-key', 'second-key');

/** Both catalogs and their keys, each as the document has one. */
function ofBoth(configuration: string): string {
  const statements = [
    /^key "pool-key" \{$.*?^\};$\n/ms,
    /^ {4}zone "catalog\.invalid"$.*?^ {6}min-update-interval 0;$\n/ms,
    /^zone "catalog\.invalid" \{$.*?^\};$\n/ms,
  ];
  return statements.reduce((text, statement) => {
    expect(text).toMatch(statement);
    return text.replace(statement, (found) => found + ofSecond(found));
  }, configuration);
}

let publishing: Publishing;
let first: NameServer;
let second: NameServer;
let both: NameServer;
beforeAll(async () => {
  publishing = await startPublishing();
  const { secret } = publishing.upstream;
  const key = { name: 'second-key', algorithm: 'hmac-sha256', secret, scope: 'POOL', resource_id: SECOND };
  expect((await publishing.ask('POST', '/v2/tsigkeys', key)).status).toBe(201);
  const start = (edit?: (text: string) => string) => startNameServer('BIND', publishing.upstream, edit);
  [first, second, both] = await Promise.all([start(), start(ofSecond), start(ofBoth)]);
});
afterAll(async () => {
  await Promise.all([first, second, both].map((server) => server?.remove()));
  await publishing?.remove();
});

function applyPools(ofDefault: readonly NameServer[], others: readonly NameServer[]): Promise<void> {
  const servers = others.map(({ host, port }) => `{ host: ${host}, port: ${port} }`).join(', ');
  const pool = `- id: ${SECOND}
  name: second
  ns_records: [{ hostname: ${NEW_NS}, priority: 1 }]
  nameservers: [${servers}]
  catalog_zone: { fqdn: second.invalid., refresh: 60 }
  tsig_key: second-key
`;
  return publishing.applyPool(ofDefault, (yaml) => `${yaml}${pool}`);
}

async function move({ id }: ShownZone, poolId: string): Promise<void> {
  const { status, json } = await publishing.ask('POST', `/v2/zones/${id}/tasks/pool_move`, {
    pool_id: poolId,
  });
  expect([status, json]).toEqual([202, undefined]);
}

const look = async ({ id }: ShownZone): Promise<ShownZone & { pool_id: string }> =>
  (await publishing.ask('GET', `/v2/zones/${id}`)).json;

describe('a zone that moves to a pool of other servers', () => {
  it('is answered for by the old ones until the new ones do, and then by them alone', async () => {
    await applyPools([first], [second]);
    const { name, ...zone } = await publishing.zoneIs(
      (await publishing.makeZone('apart.example.org.')).id,
      'ACTIVE',
    );
    await second.stop();
    await move({ name, ...zone }, SECOND);
    expect(await look({ name, ...zone })).toMatchObject({
      status: 'PENDING',
      action: 'UPDATE',
      pool_id: DEFAULT,
    });
    const www = { name: `www.${name}`, type: 'A', records: ['192.0.2.9'] };
    expect((await publishing.addRecordset(zone.id, www)).status).toBe(202);
    // The old server gets what changes meanwhile.
    await until(async () => expect((await rdataAt(first, www.name, 'A')).length).toBeGreaterThan(0));
    await second.start();
    const moved = await eventually(async () => {
      // Asked in this order: the old one never ceases before the new one answers.
      const isOnFirst = (await serialAt(first, name)) !== undefined;
      expect(isOnFirst || (await serialAt(second, name)) !== undefined).toBe(true);
      const state = await look({ name, ...zone });
      return state.status === 'ACTIVE' ? state : undefined;
    });
    expect(moved.pool_id).toBe(SECOND);
    expect(await serialAt(second, name)).toBe(moved.serial);
    expect(await rdataAt(second, name, 'NS')).toEqual([NEW_NS]);
    expect(await rdataAt(second, www.name, 'A')).toEqual(['192.0.2.9']);
    expect(await serialAt(first, name)).toBeUndefined();
  });
});

describe('a zone that moves between two catalogs of one server', () => {
  it('is there again with the apex of the new pool, and back again', async () => {
    await applyPools([both], [both]);
    const zone = await publishing.zoneIs((await publishing.makeZone('together.example.org.')).id, 'ACTIVE');
    await move(zone, SECOND);
    const there = await publishing.zoneIs(zone.id, 'ACTIVE');
    expect(await serialAt(both, zone.name)).toBe(there.serial);
    expect(await rdataAt(both, zone.name, 'NS')).toEqual([NEW_NS]);
    await move(zone, DEFAULT);
    const back = await publishing.zoneIs(zone.id, 'ACTIVE');
    expect(back.serial).toBeGreaterThan(there.serial);
    expect(await rdataAt(both, zone.name, 'NS')).toEqual(['ns1.example.net.', 'ns2.example.net.']);
  });
});
