import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalName } from '../../../src/dns/names.ts';
import type { StoredType } from '../../../src/dns/record-types.ts';
import type { Prerequisite, UpdateStep } from '../../../src/dns/wire/update.ts';
import { failedPrerequisite } from '../../../src/domain/updates/prerequisites.ts';
import { WorkingZone } from '../../../src/domain/updates/working-zone.ts';
import type { Recordset } from '../../../src/model/recordsets/recordset.ts';
import { runs } from '../../support/runs.ts';

/**
 * Compared with a zone that is a plain list of records, as the pseudocode of RFC 2136 sections 3.2.5 and 3.4.2.7 has it.
 */
interface PlainRecord {
  readonly name: string;
  readonly type: StoredType;
  ttl: number;
  readonly rdata: string;
}

const ZONE = { name: canonicalName<never>('z.'), ttl: 300, serial: 5 };
const NAMES = ['z.', 'a.z.', 'b.z.'];
const TYPES: readonly StoredType[] = ['A', 'TXT', 'CNAME'];
const APEX: readonly PlainRecord[] = [
  { name: 'z.', type: 'SOA', ttl: 300, rdata: '. . 5 1 1 1 1' },
  { name: 'z.', type: 'NS', ttl: 300, rdata: 'ns.' },
];

const name = fc.constantFrom(...NAMES);
const type = fc.constantFrom(...TYPES);
const rdata = fc.constantFrom('1', '2', '3');
const ttl = fc.constantFrom(60, 300);

const step: fc.Arbitrary<UpdateStep> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), name, type, ttl, rdata }),
  fc.record({
    kind: fc.constant('delete set' as const),
    name,
    type: fc.constantFrom<StoredType>(...TYPES, 'NS', 'SOA'),
  }),
  fc.record({ kind: fc.constant('delete name' as const), name }),
  fc.record({ kind: fc.constant('delete record' as const), name, type, rdata }),
);
const prerequisite: fc.Arbitrary<Prerequisite> = fc.oneof(
  fc.record({ kind: fc.constantFrom('name in use' as const, 'name not in use' as const), name }),
  fc.record({ kind: fc.constantFrom('set exists' as const, 'no set exists' as const), name, type }),
  fc.record({ kind: fc.constant('record exists' as const), name, type, rdata }),
);

/** Applies one step to a list of records. */
function applied(zone: readonly PlainRecord[], one: UpdateStep): readonly PlainRecord[] {
  const here = zone.filter((it) => it.name === one.name);
  const isApex = (it: PlainRecord) => it.name === 'z.' && (it.type === 'SOA' || it.type === 'NS');
  if (one.kind === 'delete name') return zone.filter((it) => it.name !== one.name || isApex(it));
  const isOfSet = (it: PlainRecord) => it.name === one.name && it.type === one.type;
  if (one.kind === 'delete set') return zone.filter((it) => !isOfSet(it) || isApex(it));
  if (one.kind === 'delete record') return zone.filter((it) => !isOfSet(it) || it.rdata !== one.rdata);
  if (one.type === 'CNAME' && here.some((it) => it.type !== 'CNAME')) return zone;
  if (one.type !== 'CNAME' && here.some((it) => it.type === 'CNAME')) return zone;
  const staying = zone.filter((it) => !isOfSet(it) || (one.type !== 'CNAME' && it.rdata !== one.rdata));
  // RFC 2181 section 5.2: one TTL for the set.
  const renewed = staying.map((it) => (isOfSet(it) ? { ...it, ttl: one.ttl } : it));
  return [...renewed, { name: one.name, type: one.type, ttl: one.ttl, rdata: one.rdata }];
}

const AS_IT_IS: Readonly<Record<string, (isThere: boolean) => number | undefined>> = {
  'name in use': (isThere) => (isThere ? undefined : 3),
  'name not in use': (isThere) => (isThere ? 6 : undefined),
  'set exists': (isThere) => (isThere ? undefined : 8),
  'no set exists': (isThere) => (isThere ? 7 : undefined),
};

const texts = (list: readonly string[]) => [...new Set(list)].sort().join();

function failure(zone: readonly PlainRecord[], prerequisites: readonly Prerequisite[]): number | undefined {
  const records = (one: Prerequisite) =>
    zone.filter((it) => it.name === one.name && (!('type' in one) || it.type === one.type));
  const alone = prerequisites.map((one) => AS_IT_IS[one.kind]?.(records(one).length > 0));
  const first = alone.find((rcode) => rcode !== undefined);
  if (first !== undefined) return first;
  const wanted = prerequisites.filter((one) => one.kind === 'record exists');
  const isWrong = wanted.some((one) => {
    const set = wanted.filter((it) => it.name === one.name && it.type === one.type);
    return texts(set.map((it) => it.rdata)) !== texts(records(one).map((it) => it.rdata));
  });
  return isWrong ? 8 : undefined;
}

/** The zone as text: one line for each record. */
const shown = (zone: readonly PlainRecord[]) => zone.map((it) => Object.values(it).join(' ')).sort();

function stored(zone: readonly PlainRecord[]): readonly Recordset[] {
  const keys = [...new Set(zone.map((it) => `${it.name} ${it.type}`))];
  return keys.map((key, place) => {
    const own = zone.filter((it) => `${it.name} ${it.type}` === key);
    const one = own[0]!;
    const records = own.map((it) => it.rdata);
    return {
      id: `${place}`,
      name: one.name,
      type: one.type,
      ttl: one.ttl === 300 ? null : one.ttl,
      records,
    } as unknown as Recordset;
  });
}

function changedBy(zone: readonly PlainRecord[], working: WorkingZone): readonly PlainRecord[] {
  const changes = changesOf(working);
  const isChanged = (it: PlainRecord) => changes.some((one) => one.name === it.name && one.type === it.type);
  const after = changes.flatMap(({ name: at, type: of, after: set }) =>
    [...(set?.records ?? [])].map((text) => ({ name: at as string, type: of, ttl: set!.ttl, rdata: text })),
  );
  return [...zone.filter((it) => !isChanged(it)), ...after];
}

const changesOf = (working: WorkingZone) => [...working.touched()].filter((one) => working.hasChanged(one));

it('The steps of an UPDATE do what the pseudocode of RFC 2136 does, and its prerequisites hold when those there do', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ ...{ name, type, rdata }, ttl }), { maxLength: 8 }),
      fc.array(prerequisite, { maxLength: 4 }),
      fc.array(step, { maxLength: 10 }),
      (seeds, prerequisites, steps) => {
        const zone = seeds.reduce<readonly PlainRecord[]>(
          (all, one) => applied(all, { kind: 'add', ...one }),
          APEX,
        );
        const working = new WorkingZone(ZONE, stored(zone));
        expect(failedPrerequisite(prerequisites, working)).toBe(failure(zone, prerequisites));
        for (const [position, one] of steps.entries()) working.apply(one, position);
        const expected = steps.reduce(applied, zone);
        expect(shown(changedBy(zone, working))).toEqual(shown(expected));
        // What is as before counts as no change.
        const isSame = shown(expected).join() === shown(zone).join();
        expect(changesOf(working).length === 0).toBe(isSame);
      },
    ),
    { numRuns: runs(3000, 500) },
  );
});

it('A record of a set can be deleted and added again without a change', () => {
  const one = { name: 'a.z.', type: 'A', ttl: 300, rdata: '1' } as const;
  const working = new WorkingZone(ZONE, stored([...APEX, one]));
  const { name: at, type: of } = one;
  const steps: readonly UpdateStep[] = [
    { kind: 'delete name', name: at },
    { kind: 'add', ...one },
  ];
  for (const [position, it] of steps.entries()) working.apply(it, position);
  expect([at, of, changesOf(working)]).toEqual(['a.z.', 'A', []]);
});
