import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRdata } from '../../src/dns/parse-rdata.ts';
import { RECORD_TYPES, type RecordType } from '../../src/dns/record-types.ts';
import { isLaterSerial } from '../../src/dns/serial.ts';
import { until } from '../support/eventually.ts';
import { canonical, dig, rdataAt, serialAt } from '../support/name-servers/dig.ts';
import type { NameServer } from '../support/name-servers/place.ts';
import { type Pool, type ShownZone, startPool } from '../support/name-servers/publishing.ts';
import { BRANDS, type Brand } from '../support/name-servers/servers.ts';
import { RDATA } from '../support/rdata-generators.ts';

const SEED = 20_261_122;
const SAMPLES = 5;
/** Of these types a name has one record. */
const SINGLE: readonly RecordType[] = ['CNAME', 'CSYNC', 'DNAME'];
const OF_APEX: readonly RecordType[] = ['CDNSKEY', 'CDS', 'CSYNC'];
const TYPES = RECORD_TYPES.filter((type) => type !== 'SOA');

let pool: Pool;
beforeAll(async () => {
  pool = await startPool(BRANDS);
});
afterAll(() => pool?.remove());

/** What every server says, by its brand. */
async function everywhere<T>(ask: (server: NameServer) => Promise<T>): Promise<Record<string, T>> {
  const said = await Promise.all(pool.servers.map(async (server, at) => [BRANDS[at]!, await ask(server)]));
  return Object.fromEntries(said);
}

const onAll = <T>(value: T): Record<Brand, T> => ({ BIND: value, Knot: value, PowerDNS: value });

async function activeZone(name: string): Promise<ShownZone> {
  return pool.zoneIs((await pool.makeZone(name)).id, 'ACTIVE');
}

/** Distinct rdata of a type, in canonical text. */
function samples(type: RecordType): string[] {
  const texts = fc
    .sample(RDATA[type], { numRuns: SAMPLES, seed: SEED })
    .map((text) => parseRdata(type, text));
  const distinct = [...new Set(texts.flatMap((parsed) => (parsed.ok ? [parsed.rdata] : [])))];
  return SINGLE.includes(type) ? distinct.slice(0, 1) : distinct;
}

describe('name servers that know a catalog and a key', () => {
  it('answer for a zone that was just made, once it is ACTIVE', async () => {
    const made = await pool.makeZone('new.example.org.');
    expect(made).toMatchObject({ status: 'PENDING', action: 'CREATE' });
    const { serial } = await pool.zoneIs(made.id, 'ACTIVE');
    expect(await everywhere((server) => serialAt(server, 'new.example.org.'))).toEqual(onAll(serial));
    expect(await everywhere((server) => rdataAt(server, 'new.example.org.', 'NS'))).toEqual(
      onAll(['ns1.example.net.', 'ns2.example.net.']),
    );
  });

  it('answer the timers that a zone is given, and those of the options again', async () => {
    const { id } = await activeZone('timers.example.org.');
    const timers = () =>
      everywhere(async (server) =>
        (await rdataAt(server, 'timers.example.org.', 'SOA'))[0]?.split(' ').slice(3).join(' '),
      );
    const before = await timers();
    const soa = { refresh: 7200, retry: 900, expire: 2_419_200, minimum: 300 };
    expect((await pool.ask('PATCH', `/v2/zones/${id}`, { soa })).status).toBe(202);
    await pool.zoneIs(id, 'ACTIVE');
    expect(await timers()).toEqual(onAll('7200 900 2419200 300'));
    await pool.ask('PATCH', `/v2/zones/${id}`, { soa: null });
    await pool.zoneIs(id, 'ACTIVE');
    expect(await timers()).toEqual(before);
  });

  it('answer what the API says, for every type', async () => {
    const { id } = await activeZone('types.example.org.');
    for (const type of TYPES) {
      const at = OF_APEX.includes(type) ? '' : `${type.toLowerCase()}.`;
      const recordset = { name: `${at}types.example.org.`, type, records: samples(type) };
      const { status, json } = await pool.addRecordset(id, recordset);
      expect([type, status, json.message]).toEqual([type, 202, undefined]);
    }
    await pool.zoneIs(id, 'ACTIVE');
    const { recordsets } = (await pool.ask('GET', `/v2/zones/${id}/recordsets?limit=max`)).json;
    expect(recordsets.length).toBe(TYPES.length + 2);
    for (const { name, type, records } of recordsets) {
      if (type === 'SOA') continue;
      const expected = records.map((text: string) => canonical(type, text)).sort();
      const said = await everywhere((server) => rdataAt(server, name, type));
      expect([type, said]).toEqual([type, onAll(expected)]);
    }
  });

  it('answer types that go by their number', async () => {
    const { id } = await activeZone('numbered.example.org.');
    const name = 'a.numbered.example.org.';
    const given = { TYPE65280: ['\\# 0', '\\# 3 0a0b0c'], TYPE65534: ['\\# 1 ff'] };
    for (const [type, records] of Object.entries(given))
      expect((await pool.addRecordset(id, { name, type, records })).status).toBe(202);
    await pool.zoneIs(id, 'ACTIVE');
    for (const [type, records] of Object.entries(given))
      expect(await everywhere((server) => rdataAt(server, name, type))).toEqual(onAll(records));
  });

  it('answer names of services, and those of a part of an IPv4 network', async () => {
    const { id } = await activeZone('services.example.org.');
    const printer = 'my\\032printer._ipp._tcp.services.example.org.';
    const browsed = { name: '_ipp._tcp.services.example.org.', type: 'PTR', records: [printer] };
    const texts = { name: printer, type: 'TXT', records: ['"paper=A4"'] };
    for (const recordset of [browsed, texts])
      expect((await pool.addRecordset(id, recordset)).status).toBe(202);
    await pool.zoneIs(id, 'ACTIVE');
    expect(await everywhere((server) => rdataAt(server, printer, 'TXT'))).toEqual(onAll(texts.records));
    expect(await everywhere((server) => rdataAt(server, browsed.name, 'PTR'))).toEqual(onAll([printer]));

    const network = await activeZone('2.0.192.in-addr.arpa.');
    const part = '0/25.2.0.192.in-addr.arpa.';
    const delegated = [
      { name: part, type: 'NS', records: ['ns1.example.net.', 'ns2.example.net.'] },
      { name: `1.${network.name}`, type: 'CNAME', records: [`1.${part}`] },
    ];
    for (const recordset of delegated) {
      expect((await pool.addRecordset(network.id, recordset)).status).toBe(202);
    }
    const { id: partId } = await activeZone(part);
    const host = { name: `1.${part}`, type: 'PTR', records: ['host.example.org.'] };
    expect((await pool.addRecordset(partId, host)).status).toBe(202);
    for (const zone of [network.id, partId]) await pool.zoneIs(zone, 'ACTIVE');
    expect(await everywhere((server) => rdataAt(server, `1.${network.name}`, 'CNAME'))).toEqual(
      onAll([`1.${part}`]),
    );
    expect(await everywhere((server) => rdataAt(server, host.name, 'PTR'))).toEqual(onAll(host.records));
  });

  it('answer a changed recordset, and no longer one that was deleted', async () => {
    const { id } = await activeZone('changed.example.org.');
    const www = 'www.changed.example.org.';
    const made = await pool.addRecordset(id, { name: www, type: 'A', records: ['192.0.2.1'] });
    await pool.zoneIs(id, 'ACTIVE');
    expect(await everywhere((server) => rdataAt(server, www, 'A'))).toEqual(onAll(['192.0.2.1']));
    const path = `/v2/zones/${id}/recordsets/${made.json.id}`;
    expect((await pool.ask('PUT', path, { records: ['192.0.2.2', '192.0.2.3'], ttl: 60 })).status).toBe(202);
    const { serial } = await pool.zoneIs(id, 'ACTIVE');
    expect(await everywhere((server) => rdataAt(server, www, 'A'))).toEqual(
      onAll(['192.0.2.2', '192.0.2.3']),
    );
    expect(await everywhere((server) => serialAt(server, 'changed.example.org.'))).toEqual(onAll(serial));
    expect((await pool.ask('DELETE', path)).status).toBe(202);
    await pool.zoneIs(id, 'ACTIVE');
    const said = await everywhere(async (server) => (await dig(server, www, 'A')).status);
    expect(said).toEqual(onAll('NXDOMAIN'));
  });

  it('refuse a deleted zone, and answer when it is made again, with a later serial', async () => {
    const name = 'again.example.org.';
    const first = await activeZone(name);
    expect((await pool.ask('DELETE', `/v2/zones/${first.id}`)).status).toBe(202);
    await pool.zoneIsGone(first.id);
    expect(await everywhere(async (server) => (await dig(server, name, 'SOA')).status)).toEqual(
      onAll('REFUSED'),
    );
    const second = await activeZone(name);
    expect(isLaterSerial(second.serial, first.serial)).toBe(true);
    expect(await everywhere((server) => serialAt(server, name))).toEqual(onAll(second.serial));
  });

  it('answer for a deleted zone that is restored, with its records and a later serial', async () => {
    const name = 'restored.example.org.';
    const www = `www.${name}`;
    const { id } = await activeZone(name);
    await pool.addRecordset(id, { name: www, type: 'A', records: ['192.0.2.1'] });
    const { serial } = await pool.zoneIs(id, 'ACTIVE');
    await pool.ask('DELETE', `/v2/zones/${id}`);
    await pool.zoneIsGone(id);
    expect(await everywhere((server) => rdataAt(server, www, 'A'))).toEqual(onAll([]));
    expect((await pool.ask('POST', `/v2/deleted_zones/${id}/restore`)).status).toBe(202);
    const restored = await pool.zoneIs(id, 'ACTIVE');
    expect(isLaterSerial(restored.serial, serial)).toBe(true);
    expect(await everywhere((server) => serialAt(server, name))).toEqual(onAll(restored.serial));
    expect(await everywhere((server) => rdataAt(server, www, 'A'))).toEqual(onAll(['192.0.2.1']));
  });

  it('get the changed name servers of the pool into every zone', async () => {
    const names = ['one', 'two', 'three'].map((label) => `${label}.ns.example.org.`);
    for (const name of names) await activeZone(name);
    await pool.applyPool(pool.servers, (yaml) => yaml.replace('ns2.example.net.', 'ns3.example.net.'));
    for (const name of names) {
      for (const server of pool.servers) {
        const expected = ['ns1.example.net.', 'ns3.example.net.'].join();
        await until(async () => expect((await rdataAt(server, name, 'NS')).join()).toBe(expected));
      }
    }
  });
});
