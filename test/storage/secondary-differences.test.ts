/** Transfers by differences (RFC 1995): they lead where whole ones lead, or ask for a whole one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IncomingRecord, IncomingStep } from '../../src/model/secondaries/secondary.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { runs } from '../support/runs.ts';
import { apexNs, context, type RecordType, record, soaOf, useSecondarySite } from '../support/secondaries.ts';

const site = useSecondarySite();

const step = (
  from: number,
  to: number,
  removed: IncomingRecord[],
  added: IncomingRecord[],
): IncomingStep => ({
  from,
  to: soaOf(to),
  removed,
  added,
});

async function change(zone: Zone, ...steps: readonly IncomingStep[]): Promise<string> {
  const transfer = { kind: 'differences', soa: steps.at(-1)!.to, steps } as const;
  return site.useCases.secondaries.take(await site.claim(zone), transfer);
}

async function faults(): Promise<readonly string[]> {
  const found: string[] = [];
  const report = ({ about, name, fault }: { about: string; name?: string; fault: string }) =>
    void found.push(`${about} ${name}: ${fault}`);
  await site.useCases.verifications.verify(context, { repairs: false, report });
  return found;
}

/** A zone as recordsets: the TTL and the records of each by its name and type. */
type Contents = Readonly<Record<string, { readonly ttl: number; readonly records: readonly string[] }>>;

const RDATA: Readonly<Record<string, (n: number) => string>> = {
  A: (n) => `192.0.2.${n}`,
  TXT: (n) => `"text ${n}"`,
  TYPE46: (n) => `\\# 1 0${n}`,
};

const contents: fc.Arbitrary<Contents> = fc.dictionary(
  fc
    .tuple(
      fc.constantFrom('', 'www.', '*.', 'a\\.b.', 'x.y.', 'a\\033b.'),
      fc.constantFrom(...Object.keys(RDATA)),
    )
    .map(([name, type]) => `${name} ${type}`),
  fc.record({
    ttl: fc.constantFrom(0, 60, 300),
    records: fc.uniqueArray(fc.integer({ min: 0, max: 5 }).map(String), { minLength: 1, maxLength: 4 }),
  }),
  { maxKeys: 8 },
);

function recordsOf(zone: Zone, all: Contents): IncomingRecord[] {
  return Object.entries(all).flatMap(([key, { ttl, records }]) => {
    const [name, type] = key.split(' ');
    return records.map((n) =>
      record(`${name}${zone.name}`, type as RecordType, RDATA[type!]!(Number(n)), ttl),
    );
  });
}

const textOf = (one: IncomingRecord): string => JSON.stringify(one);

function difference(before: readonly IncomingRecord[], after: readonly IncomingRecord[]): IncomingRecord[] {
  const known = new Set(before.map(textOf));
  return after.filter((one) => !known.has(textOf(one)));
}

describe('a transfer by differences', () => {
  it('leaves the same rows and counters as a whole transfer, through any number of steps', async () => {
    const states = fc.array(contents, { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(states, async (all) => {
        const [one, other] = [await site.create(), await site.create()];
        const of = (zone: Zone) => all.map((state) => recordsOf(zone, state));
        await site.fill(one, 1, of(one)[0]!);
        const records = of(one);
        const steps = records
          .slice(1)
          .map((after, at) =>
            step(at + 1, at + 2, difference(after, records[at]!), difference(records[at]!, after)),
          );
        expect(await change(one, ...steps)).toBe('taken');
        await site.fill(other, 1, of(other)[0]!);
        await site.fill(other, records.length, of(other).at(-1)!);
        const named = async (zone: Zone) =>
          (await site.contents(zone)).map((line) => line.replaceAll(zone.name, 'the.zone.'));
        expect(await named(one)).toEqual(await named(other));
        const { recordsets, records: count, bytes, serial } = await site.look(one);
        // The names of the two zones may differ in length, and each recordset has one.
        const longer = recordsets * (other.name.length - one.name.length);
        expect(await site.look(other)).toMatchObject({
          recordsets,
          records: count,
          bytes: bytes + longer,
          serial,
        });
      }),
      { numRuns: runs(15, 6) },
    );
    expect(await faults()).toEqual([]);
  });

  it('that does not fit what is here changes nothing, and says so', async () => {
    const zone = await site.create();
    const [www, other] = [
      record(`www.${zone.name}`, 'A', '192.0.2.1'),
      record(`www.${zone.name}`, 'A', '192.0.2.2'),
    ];
    expect(await change(zone, step(1, 2, [], [www]))).toBe('misfit');
    await site.fill(zone, 5, [www]);
    const before = await site.contents(zone);
    const misfits: readonly (readonly IncomingStep[])[] = [
      [step(4, 6, [], [other])],
      [step(5, 6, [], [other]), step(7, 8, [other], [])],
      [step(5, 6, [other], [])],
      [step(5, 6, [], [www])],
      [step(5, 6, [{ ...www, ttl: 60 }], [])],
      [step(5, 6, [], [{ ...other, ttl: 60 }])],
    ];
    for (const steps of misfits) expect([steps, await change(zone, ...steps)]).toEqual([steps, 'misfit']);
    expect(await site.contents(zone)).toEqual(before);
    expect(await change(zone, step(5, 6, [www], [{ ...www, ttl: 60 }]))).toBe('taken');
    expect((await site.contents(zone)).at(-1)).toBe(`${www.name} A 60 192.0.2.1`);
  });

  it.each([
    ['a&b', 'a\\038b', 'PTR', 'PTR'],
    ['a!b', 'a\\033b', 'PTR', 'PTR'],
    ['a&b', 'a\\038b', 'PTR', 'TXT'],
    ['www', 'www', 'TYPE48', 'DNSKEY'],
  ] as const)(
    'that adds to what an earlier version stored of %s as %s %s asks for a whole one',
    async (...row) => {
      const [earlier, present, storedType, type] = row;
      const zone = await site.create();
      await site.fill(zone, 1, [record(`${earlier}.${zone.name}`, 'PTR', 'x.example.')]);
      const before = `type = '${storedType}' where type = 'PTR' and zone_id = '${zone.id}'`;
      await site.inStore(`update recordsets set ${before}`);
      const rdata = { PTR: 'y.example.', TXT: '"y"', DNSKEY: '257 3 13 AAAA' }[type];
      const added = record(`${present}.${zone.name}`, type, rdata);
      expect(await change(zone, step(1, 2, [], [added]))).toBe('misfit');
      const all = await site.fill(zone, 2, [added]);
      expect((await site.contents(zone)).slice(2)).toEqual([`${added.name} ${type} 300 ${rdata}`]);
      expect(all.recordsets).toBe(1);
    },
  );

  it('beyond a quota, outside the zone, or without NS is refused as a whole', async () => {
    const zone = await site.create();
    await site.fill(zone, 5, []);
    const before = await site.contents(zone);
    const many = Array.from({ length: 21 }, (_, at) => record(`x.${zone.name}`, 'A', `192.0.2.${at}`));
    await expect(change(zone, step(5, 6, [], many))).rejects.toThrow(/Quota exceeded for recordset_records/);
    const outside = record('x.other.example.', 'A', '192.0.2.1');
    await expect(change(zone, step(5, 6, [], [outside]))).rejects.toThrow(/outside the zone/);
    await expect(change(zone, step(5, 6, [apexNs(zone.name)], []))).rejects.toThrow(/NS/);
    expect(await site.contents(zone)).toEqual(before);
    expect((await site.look(zone)).serial).toBe(5);
  });
});

describe('thousands of small steps', () => {
  it('are taken about one large recordset in the memory of one', async () => {
    const zone = await site.create();
    const address = (n: number) =>
      record(`www.${zone.name}`, 'A', `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    const stored = 4000;
    const unlimited = { recordset_records: -1, zone_records: -1 };
    await site.useCases.quotas.set(context, zone.projectId, unlimited);
    await site.fill(
      zone,
      1,
      Array.from({ length: stored }, (_, n) => address(n)),
    );
    const steps = Array.from({ length: 10_000 }, (_, n) =>
      step(n + 1, n + 2, [address((n + 1) % 2)], [address(n % 2)]),
    );
    // Each step removes what the one before it added.
    const alternating = [step(1, 2, [address(1)], []), ...steps.slice(1)];
    expect(await change(zone, ...alternating)).toBe('taken');
    expect((await site.look(zone)).records).toBe(stored - 1);
  });
});
