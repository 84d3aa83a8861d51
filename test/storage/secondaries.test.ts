/** Zones that are transferred in: what the transferring side is given, and what becomes of what it brings. */
import { describe, expect, it } from 'vitest';
import { canonicalName, type Fqdn } from '../../src/dns/names.ts';
import { type IncomingRecord, TransferFault } from '../../src/model/secondaries/secondary.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { apexNs, context, MASTER, record, soaOf, useSecondarySite, whole } from '../support/secondaries.ts';

const site = useSecondarySite();
const due = async () => (await site.useCases.secondaries.claim(100)).map(({ id }) => id);
const state = async ({ id }: Zone) => (await site.store.secondaries.find(id))!;
const past = (zone: Zone, column: string) =>
  site.inStore(
    `update secondaries set ${column} = '2001-01-01T00:00:00.000000' where zone_id = '${zone.id}'`,
  );
/** Seconds from now. */
const ahead = (timestamp: string): number => (Date.parse(`${timestamp.slice(0, 23)}Z`) - Date.now()) / 1000;

describe('a new secondary zone', () => {
  it('is due at once, with its masters and without a serial, and claimed by one process alone', async () => {
    const zone = await site.create();
    const [claimed] = await site.useCases.secondaries.claim(100);
    expect(claimed).toMatchObject({ id: zone.id, name: zone.name, serial: null, masters: [MASTER] });
    expect(claimed).toMatchObject({ key: null, wantsWhole: false });
    expect(await due()).not.toContain(zone.id);
  });

  it('is PENDING until a transfer came, and then as its master has it', async () => {
    const zone = await site.create();
    expect(await site.look(zone)).toMatchObject({ status: 'PENDING', action: 'CREATE', type: 'SECONDARY' });
    const filled = await site.fill(zone, 77, [record(`www.${zone.name}`, 'A', '192.0.2.80')]);
    expect(filled).toMatchObject({ status: 'ACTIVE', action: 'NONE', serial: 77, ttl: 3600 });
    expect(filled).toMatchObject({ email: 'admin@master.example', recordsets: 1, records: 1 });
    expect(filled.transferredAt).not.toBeNull();
    expect(await site.contents(zone)).toEqual([
      `${zone.name} NS 3600 ns.master.example.`,
      `${zone.name} SOA  ${soaOf(77).rdata}`,
      `www.${zone.name} A 300 192.0.2.80`,
    ]);
    expect(site.told.at(-1)).toMatchObject({ type: 'zone.received', target: { name: zone.name } });
  });

  it('stays PENDING with the reason while its masters do not answer, and is asked ever less often', async () => {
    const zone = await site.create();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await site.useCases.secondaries.failed(await site.claim(zone), {
        reason: 'No master answered.',
        isOfMasters: true,
        isCostly: false,
      });
      waits.push(Math.round(ahead((await state(zone)).dueAt) / 60));
    }
    expect(waits).toEqual([1, 2, 4]);
    expect(await state(zone)).toMatchObject({
      fault: expect.stringMatching(/^The zone could not be transferred from its masters\./),
      cause: 'No master answered.',
    });
    expect((await site.look(zone)).status).toBe('PENDING');
  });
});

describe('a transfer of a whole zone', () => {
  it('keeps names, types and TTLs that nobody could write here', async () => {
    const zone = await site.create();
    const odd: IncomingRecord[] = [
      record(`*.${zone.name}`, 'TXT', '"any"'),
      record(`a\\.b.${zone.name}`, 'A', '192.0.2.1'),
      record(`a!b.${zone.name}`, 'A', '192.0.2.2'),
      record(`b.a.${zone.name}`, 'A', '192.0.2.3'),
      record(`\\009\\"x.${zone.name}`, 'A', '192.0.2.4'),
      record(`www.${zone.name}`, 'CNAME', 'b.a.example.'),
      record(`www.${zone.name}`, 'TYPE46', '\\# 3 0a0b0c'),
      record(`www.${zone.name}`, 'TYPE65280', '\\# 0'),
      record(`two.${zone.name}`, 'A', '192.0.2.6', 600),
      record(`two.${zone.name}`, 'A', '192.0.2.5', 60),
      record(`never.${zone.name}`, 'A', '192.0.2.7', 2 ** 31),
    ];
    const rrsig = (covered: string, ttl: string) => `\\# 19 ${covered}0d02${ttl}0000000000000000000100`;
    odd.push(
      record(`signed.${zone.name}`, 'TYPE46', rrsig('0001', '0000003c'), 60),
      record(`signed.${zone.name}`, 'TYPE46', rrsig('0010', '00000e10'), 3600),
    );
    const filled = await site.fill(zone, 1, odd);
    const kept = await site.contents(zone);
    const expected = [
      `*.${zone.name} TXT 300 "any"`,
      `a\\.b.${zone.name} A 300 192.0.2.1`,
      `a!b.${zone.name} A 300 192.0.2.2`,
      `b.a.${zone.name} A 300 192.0.2.3`,
      `\\009\\"x.${zone.name} A 300 192.0.2.4`,
      `www.${zone.name} CNAME 300 b.a.example.`,
      `www.${zone.name} TYPE46 300 \\# 3 0a0b0c`,
      `www.${zone.name} TYPE65280 300 \\# 0`,
      `two.${zone.name} A 60 192.0.2.5 192.0.2.6`,
      `never.${zone.name} A 0 192.0.2.7`,
      `signed.${zone.name} TYPE46 0 ${rrsig('0001', '0000003c')} ${rrsig('0010', '00000e10')}`,
    ];
    expect(kept.slice(2).toSorted()).toEqual(expected.toSorted());
    expect(filled).toMatchObject({ recordsets: 11, records: 13 });
  });

  it('writes only what differs', async () => {
    const zone = await site.create();
    const [same, gone] = [
      record(`same.${zone.name}`, 'A', '192.0.2.1'),
      record(`x.${zone.name}`, 'A', '192.0.2.2'),
    ];
    await site.fill(zone, 1, [same, gone]);
    const rows = `select name, version from recordsets where zone_id = '${zone.id}' and managed = 0 order by name`;
    const filled = await site.fill(zone, 2, [same, record(`y.${zone.name}`, 'A', '192.0.2.3')]);
    expect((await site.inStore(rows)).map(({ name, version }) => [name, Number(version)])).toEqual([
      [same.name, 1],
      [`y.${zone.name}`, 1],
    ]);
    expect(filled).toMatchObject({ serial: 2, recordsets: 2, records: 2 });
  });

  it('is taken whole however large it is, and counted exactly', async () => {
    const zone = await site.create();
    const many = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => record(`n${from + at}.${zone.name}`, 'A', '192.0.2.1'));
    expect(await site.fill(zone, 1, many(0, 400))).toMatchObject({ recordsets: 400, records: 400 });
    expect(await site.fill(zone, 2, many(200, 700))).toMatchObject({ recordsets: 500, records: 500 });
    const counters = await site.inStore(`select recordsets from projects where project_id = 'admin'`);
    const rows = await site.inStore(`select count(*) as n from recordsets where managed = 0`);
    expect(Number(counters[0]!.recordsets)).toBe(Number(rows[0]!.n));
  });

  const refused = [
    ['outside the zone', () => [record('www.other.example.', 'A', '192.0.2.1')], /outside the zone/],
    [
      'outside by an escaped dot',
      ({ name }: Zone) => [record(`x\\.${name}`, 'A', '192.0.2.1')],
      /outside the zone/,
    ],
    ['malformed', ({ name }: Zone) => [record(`x.${name}`, 'A', '192.0.2.256')], /x\.z\d+\.example\. A/],
    ['empty', ({ name }: Zone) => [record(`x.${name}`, 'A', '\\# 0')], /malformed/],
    ['of a type of questions', ({ name }: Zone) => [record(`x.${name}`, 'ANY', '\\# 1 00')], /this type/],
    ['a second SOA', ({ name }: Zone) => [record(name, 'SOA', soaOf(1).rdata)], /one SOA/],
    [
      'more than a recordset may have',
      ({ name }: Zone) => Array.from({ length: 21 }, (_, at) => record(`x.${name}`, 'A', `192.0.2.${at}`)),
      /Quota exceeded for recordset_records/,
    ],
    [
      'more recordsets than a zone may have',
      ({ name }: Zone) => Array.from({ length: 501 }, (_, at) => record(`x${at}.${name}`, 'A', '192.0.2.1')),
      /Quota exceeded for zone_recordsets/,
    ],
  ] as const;

  it.each(refused)('with a record that is %s keeps nothing', async (_, records, reason) => {
    const zone = await site.create();
    const before = await site.contents(zone);
    const transfer = site.fill(zone, 5, [record(`ok.${zone.name}`, 'A', '192.0.2.1'), ...records(zone)]);
    await expect(transfer).rejects.toThrow(TransferFault);
    await expect(site.fill(zone, 5, records(zone))).rejects.toThrow(reason);
    expect(await site.contents(zone)).toEqual(before);
    expect(await site.look(zone)).toMatchObject({ status: 'PENDING', recordsets: 0, records: 0, bytes: 0 });
  });

  it('without NS, of a serial that goes back, or that breaks off keeps nothing', async () => {
    const zone = await site.create();
    const take = async (transfer: Parameters<typeof site.useCases.secondaries.take>[1]) =>
      site.useCases.secondaries.take(await site.claim(zone), transfer);
    await site.fill(zone, 10, [record(`www.${zone.name}`, 'A', '192.0.2.1')]);
    const before = await site.contents(zone);
    await expect(take(whole(soaOf(11), []))).rejects.toThrow(/without NS/);
    await expect(take(whole(soaOf(9), [apexNs(zone.name)]))).rejects.toThrow(/not later than 10/);
    async function* broken() {
      yield [apexNs(zone.name)];
      throw new TransferFault('The connection was closed.');
    }
    await expect(take({ kind: 'whole', soa: soaOf(12), records: broken() })).rejects.toThrow(/was closed/);
    expect(await site.contents(zone)).toEqual(before);
    expect((await site.look(zone)).serial).toBe(10);
  });

  it('may shrink a zone that is over a limit set since, and not grow it', async () => {
    const zone = await site.create();
    const some = (count: number) =>
      Array.from({ length: count }, (_, at) => record(`n${at}.${zone.name}`, 'A', '192.0.2.1'));
    await site.fill(zone, 1, some(10));
    await site.useCases.quotas.set(context, 'admin', { zone_records: 5 });
    expect(await site.fill(zone, 2, some(9))).toMatchObject({ records: 9 });
    await expect(site.fill(zone, 3, some(10))).rejects.toThrow(/Quota exceeded for zone_records/);
    await site.useCases.quotas.set(context, 'admin', { zone_records: null });
    expect((await site.look(zone)).serial).toBe(2);
  });

  it('is not taken for a zone that is gone, or has other masters by now', async () => {
    const zone = await site.create();
    const claimed = await site.claim(zone);
    await site.useCases.zones.update(context, zone.id, { masters: [{ host: '192.0.2.9', port: 53 }] });
    const transfer = () => whole(soaOf(1), [apexNs(zone.name)]);
    await expect(site.useCases.secondaries.take(claimed, transfer())).rejects.toThrow(/zone changed/);
    const again = await site.claim(zone);
    await site.useCases.zones.remove(context, zone.id, { endsShares: false });
    await expect(site.useCases.secondaries.take(again, transfer())).rejects.toThrow(/is deleted/);
    await site.useCases.secondaries.failed(again, {
      reason: 'No master answered.',
      isOfMasters: true,
      isCostly: false,
    });
    expect(await due()).not.toContain(zone.id);
  });
});

describe('what makes a zone due', () => {
  it('is a NOTIFY of one of its masters, as soon as a pause after the last question is over', async () => {
    const zone = await site.create();
    const filled = await site.fill(zone, 1, []);
    expect(ahead((await state(zone)).dueAt)).toBeGreaterThan(7000);
    const notify = (host: string, key?: string) => site.useCases.secondaries.notified(filled.name, host, key);
    expect(await notify('192.0.2.2')).toBe(false);
    expect(await notify('192.0.2.1', 'some-key.')).toBe(false);
    expect(ahead((await state(zone)).dueAt)).toBeGreaterThan(7000);
    expect(await notify('192.0.2.1')).toBe(true);
    expect(ahead((await state(zone)).dueAt)).toBeLessThan(6);
    await past(zone, 'asked_at');
    await site.inStore(
      `update secondaries set due_at = '2999-01-01T00:00:00.000000' where zone_id = '${zone.id}'`,
    );
    await notify('192.0.2.1');
    expect(await due()).toContain(zone.id);
    const nowhere = canonicalName<Fqdn>('nowhere.example.');
    expect(await site.useCases.secondaries.notified(nowhere, '192.0.2.1', undefined)).toBe(false);
  });

  it('is not undone by the end of a transfer that was under way', async () => {
    const zone = await site.create();
    const claimed = await site.claim(zone);
    await past(zone, 'asked_at');
    await site.useCases.secondaries.transferAnew(context, zone.id);
    expect(await due()).not.toContain(zone.id);
    await site.useCases.secondaries.take(claimed, whole(soaOf(3), [apexNs(zone.name)]));
    const [again] = await site.useCases.secondaries.claim(100);
    expect(again).toMatchObject({ id: zone.id, serial: 3, wantsWhole: true });
  });

  it('is the wish for the whole zone, which may go back to an earlier serial', async () => {
    const zone = await site.create();
    await site.fill(zone, 100, [record(`old.${zone.name}`, 'A', '192.0.2.1')]);
    await site.useCases.secondaries.transferAnew(context, zone.id);
    expect(await site.claim(zone)).toMatchObject({ serial: 100, wantsWhole: true });
    expect(await site.fill(zone, 50, [])).toMatchObject({ serial: 50, recordsets: 0 });
    expect(await site.claim(zone)).toMatchObject({ serial: 50, wantsWhole: false });
  });

  it('is the naming of other masters, and again only after a pause: they may be nobody who wants questions', async () => {
    const zone = await site.create();
    await site.fill(zone, 1, []);
    const name = (host: string) =>
      site.useCases.zones.update(context, zone.id, { masters: [{ host, port: 53 }] });
    await name('192.0.2.7');
    expect([ahead((await state(zone)).dueAt)]).toSatisfy(([wait]) => wait > 1 && wait <= 5);
    await past(zone, 'asked_at');
    await name('192.0.2.8');
    expect(await due()).toContain(zone.id);
  });

  it("is the time of the master's SOA, within the bounds of the operator", async () => {
    const zone = await site.create();
    const timesOf = async (timers: Parameters<typeof soaOf>[1]) => {
      await site.useCases.secondaries.current(await site.claim(zone), soaOf(1, timers));
      const { dueAt, expiresAt } = await state(zone);
      return [dueAt, expiresAt].map((at) => Math.round(ahead(at) / 60));
    };
    await site.fill(zone, 1, []);
    expect(await timesOf({ refresh: 7200, expire: 86_400 })).toEqual([120, 1440]);
    expect(await timesOf({ refresh: 0, expire: 0 })).toEqual([5, 60]);
    expect(await timesOf({ refresh: 2 ** 31, expire: 2 ** 31 })).toEqual([
      10_080,
      Math.round(2_147_483 / 60),
    ]);
    await site.useCases.secondaries.failed(await site.claim(zone), {
      reason: 'It refused.',
      isOfMasters: true,
      isCostly: false,
    });
    expect(Math.round(ahead((await state(zone)).dueAt) / 60)).toBe(15);
  });
});

describe('a zone whose masters are silent', () => {
  it('expires: it is ERROR, is not served, and is served again when a master is heard', async () => {
    await site.inStore(`update pools set publishes = 1, nameservers = '[{"host":"127.0.0.1","port":53}]'`);
    const zone = await site.create();
    const served = () => site.store.publications.served(zone.name);
    expect(await site.store.publications.find(zone.id)).toBeUndefined();
    await site.fill(zone, 8, [record(`www.${zone.name}`, 'A', '192.0.2.1')]);
    expect(await served()).toMatchObject({ serial: 8, soa: soaOf(8).rdata, ttl: 3600 });
    expect((await site.look(zone)).status).toBe('PENDING');
    await past(zone, 'expires_at');
    await site.useCases.secondaries.claim(1);
    expect(await site.look(zone)).toMatchObject({ status: 'ERROR' });
    expect(site.told.at(-1)).toMatchObject({ type: 'zone.expired', target: { name: zone.name } });
    expect(await served()).toBeUndefined();
    await site.useCases.secondaries.current(await site.claim(zone), soaOf(8));
    expect(await site.look(zone)).toMatchObject({ status: 'PENDING' });
    expect(await served()).toMatchObject({ serial: 8 });
    await site.inStore(`update pools set publishes = 0, nameservers = '[]'`);
  });
});

describe('the publication of a secondary zone', () => {
  it('begins with its first transfer, and goes on with the difference to the next', async () => {
    await site.inStore(`update pools set publishes = 1, nameservers = '[{"host":"127.0.0.1","port":53}]'`);
    const zone = await site.create();
    await site.store.transaction((tx) => tx.publications.reconcile(1000, '2026-01-01T00:00:00.000000'));
    expect(await site.store.publications.find(zone.id)).toBeUndefined();
    await site.fill(zone, 1, [record(`a.${zone.name}`, 'A', '192.0.2.1')]);
    expect(await site.store.publications.find(zone.id)).toMatchObject({ serial: 1, publishedSerial: null });
    const added = record(`b.${zone.name}`, 'TYPE46', '\\# 1 ff');
    await site.fill(zone, 2, [record(`a.${zone.name}`, 'A', '192.0.2.1'), added]);
    expect(await site.store.publications.find(zone.id)).toMatchObject({ serial: 2 });
    const entries = await site.store.publications.atOneState(async (reads) =>
      reads.journal((await reads.served(zone.name))!, 1),
    );
    expect(entries).toEqual([
      {
        fromSerial: 1,
        toSerial: 2,
        soa: [soaOf(1).rdata, soaOf(2).rdata],
        removed: [],
        added: [[added.name, 'TYPE46', 300, added.rdata]],
      },
    ]);
    await site.inStore(`update publications set published_serial = 2 where zone_id = '${zone.id}'`);
    expect((await site.look(zone)).status).toBe('ACTIVE');
    await site.useCases.secondaries.transferAnew(context, zone.id);
    await site.fill(zone, 1, []);
    expect(await site.look(zone)).toMatchObject({ status: 'PENDING', serial: 1 });
    await site.inStore(`update pools set publishes = 0, nameservers = '[]'`);
  });
});
