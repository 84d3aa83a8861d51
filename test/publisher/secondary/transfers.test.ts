import { describe, expect, it } from 'vitest';
import { TYPE } from '../../../src/dns/record-types.ts';
import type { TsigSecret as WireKey } from '../../../src/dns/wire/tsig.ts';
import type { TsigKey } from '../../../src/model/tsig-keys/tsig-key.ts';
import { until } from '../../support/eventually.ts';
import { wireKey } from '../../support/primary.ts';
import { keyWith } from '../../support/published-zones.ts';
import {
  record,
  type ScriptedMaster,
  soaRecord,
  soaText,
  startMaster,
} from '../../support/scripted-master.ts';
import { keepZones, type Told } from '../../support/secondary-zones.ts';

const ZONE = 'example.com.';
const NS = record(ZONE, TYPE.NS, 'ns1.example.com.');
const WWW = record(`www.${ZONE}`, TYPE.A, '192.0.2.1');
const MAIL = record(`mail.${ZONE}`, TYPE.A, '192.0.2.2');
const KEY: TsigKey = keyWith({ name: 'zone-key', scope: 'ZONE', resourceId: 'zone' });
const SIGNED: WireKey = wireKey(KEY);

const told = ({ name, type, ttl, rdata }: typeof NS) => ({ name, type, ttl, rdata });

/** A master that has the zone at a serial, and sends these messages for AXFR. */
async function masterWith(serial: number, ...messages: (typeof NS)[][]): Promise<ScriptedMaster> {
  const master = await startMaster();
  master.soa = (name) => [soaRecord(name, serial)];
  master.transfer = (session) => {
    for (const records of messages) session.send(records);
  };
  return master;
}

const SOA = (serial: number) => soaRecord(ZONE, serial);

describe('a zone without a serial', () => {
  it('is fetched whole, from its SOA to its SOA, and the connection is closed', async () => {
    const master = await masterWith(5, [SOA(5), NS, WWW, SOA(5)]);
    const { zones } = keepZones();
    zones.due([master]);
    const soa = { serial: 5, ttl: 300, refresh: 3600, retry: 600, expire: 86_400, rdata: soaText(5) };
    expect(await zones.next()).toEqual({ kind: 'whole', soa, records: [told(NS), told(WWW)] });
    expect(master.heard).toEqual(['SOA udp', 'AXFR tcp']);
    await until(() => expect(master.open.size).toBe(0));
  });

  it('is fetched from many messages, some of which have no question', async () => {
    const master = await masterWith(5);
    master.transfer = (session) => {
      session.send([SOA(5)]);
      session.send([NS], { questions: [] });
      session.send([WWW]);
      session.send([SOA(5)], { questions: [] });
    };
    const { zones } = keepZones();
    zones.due([master]);
    expect(await zones.next()).toMatchObject({ kind: 'whole', records: [told(NS), told(WWW)] });
  });

  it('may have changed since the master was asked for its SOA', async () => {
    const master = await masterWith(5, [SOA(7), NS, SOA(7)]);
    const { zones } = keepZones();
    zones.due([master]);
    expect(await zones.next()).toMatchObject({ kind: 'whole', soa: { serial: 7 } });
  });

  it('keeps types that are not known, with the names in them written out', async () => {
    const owner = record(`x.${ZONE}`, 65_280, '\\# 3 010203');
    // MB is of RFC 1035: the name may be a pointer, which would mean nothing elsewhere.
    const pointing = record(`m.${ZONE}`, 7, '\\# 2 c00c');
    const master = await masterWith(5, [SOA(5), NS, owner, pointing, SOA(5)]);
    const { zones } = keepZones();
    zones.due([master]);
    expect(await zones.next()).toMatchObject({
      records: [told(NS), told(owner), { type: 7, rdata: '\\# 13 076578616d706c6503636f6d00' }],
    });
  });
});

describe('a zone with a serial', () => {
  it.each([
    ['the same', 5],
    ['an earlier', 4],
  ])('is current if its master has %s serial', async (_, serial) => {
    const master = await masterWith(serial);
    const { zones } = keepZones();
    zones.due([master], { serial: 5 });
    expect(await zones.next()).toMatchObject({ kind: 'current', soa: { serial } });
    expect(master.heard).toEqual(['SOA udp']);
  });

  it('compares serials as RFC 1982 does', async () => {
    const master = await masterWith(3, [SOA(3), NS, SOA(3)]);
    const { zones } = keepZones();
    zones.due([master], { serial: 2 ** 32 - 5 });
    expect(await zones.next()).toMatchObject({ kind: 'whole', soa: { serial: 3 } });
  });

  it('asks the next master if one has nothing later', async () => {
    const [old, same, later] = await Promise.all([masterWith(4), masterWith(5), masterWith(6)]);
    later.transfer = (session) => session.send([SOA(6), NS, SOA(6)]);
    const { zones } = keepZones();
    zones.due([old, same, later], { serial: 5 });
    expect(await zones.next()).toMatchObject({ kind: 'whole', soa: { serial: 6 } });
    zones.due([old, same], { serial: 5 });
    expect(await zones.next()).toMatchObject({ kind: 'current', soa: { serial: 5 } });
    zones.due([same, old], { serial: 5 });
    expect(await zones.next()).toMatchObject({ kind: 'current', soa: { serial: 5 } });
  });

  it('is brought up to date by differences', async () => {
    const master = await masterWith(7);
    master.transfer = (session) => {
      expect(session.serial).toBe(5);
      session.send([SOA(7), SOA(5), WWW, SOA(6)]);
      session.send([MAIL, SOA(6), SOA(7), WWW, SOA(7)]);
    };
    const { zones } = keepZones();
    zones.due([master], { serial: 5 });
    const steps = [
      { from: 5, to: { serial: 6 }, removed: [told(WWW)], added: [told(MAIL)] },
      { from: 6, to: { serial: 7 }, removed: [], added: [told(WWW)] },
    ];
    expect(await zones.next()).toMatchObject({ kind: 'differences', soa: { serial: 7 }, steps });
    expect(master.heard).toEqual(['SOA udp', 'IXFR tcp']);
  });

  it('reads a whole zone where it asked for differences', async () => {
    const master = await masterWith(7);
    master.transfer = (session) => session.send([SOA(7), NS, WWW, SOA(7)]);
    const { zones } = keepZones();
    zones.due([master], { serial: 5 });
    expect(await zones.next()).toMatchObject({ kind: 'whole', records: [told(NS), told(WWW)] });
    expect(master.heard).toEqual(['SOA udp', 'IXFR tcp']);
  });

  it('is current if the SOA alone comes for its differences', async () => {
    const master = await masterWith(7);
    master.transfer = (session) => session.send([SOA(5)]);
    const { zones } = keepZones();
    zones.due([master], { serial: 5 });
    expect(await zones.next()).toMatchObject({ kind: 'current', soa: { serial: 5 } });
  });

  it('is fetched whole if it is wanted whole, whatever the serial of the master', async () => {
    const master = await masterWith(4, [SOA(4), NS, SOA(4)]);
    const { zones } = keepZones();
    zones.due([master], { serial: 5, wantsWhole: true });
    expect(await zones.next()).toMatchObject({ kind: 'whole', soa: { serial: 4 } });
    expect(master.heard).toEqual(['SOA udp', 'AXFR tcp']);
  });

  it('is fetched whole if the differences do not fit what is here', async () => {
    const master = await masterWith(6);
    master.transfer = (session) =>
      session.send(session.isIxfr ? [SOA(6), SOA(5), SOA(6), WWW, SOA(6)] : [SOA(6), NS, SOA(6)]);
    const { zones } = keepZones();
    zones.isMisfit = true;
    zones.due([master], { serial: 5 });
    expect(await zones.next()).toMatchObject({ kind: 'whole', records: [told(NS)] });
    expect(master.heard).toEqual(['SOA udp', 'IXFR tcp', 'AXFR tcp']);
  });
});

describe('a zone with a key', () => {
  it('has every question signed, and takes an answer of which the last of a hundred messages is', async () => {
    const master = await masterWith(5);
    master.key = SIGNED;
    master.transfer = (session) => {
      session.send([SOA(5), NS]);
      for (let left = 99; left > 0; left -= 1) session.send([WWW], { isUnsigned: true });
      session.send([MAIL, SOA(5)]);
    };
    const { zones } = keepZones();
    zones.due([master], { key: KEY });
    const { records } = (await zones.next()) as Told & { kind: 'whole' };
    expect(records).toHaveLength(101);
    expect(master.heard).toEqual(['SOA udp signed', 'AXFR tcp signed']);
  });
});
