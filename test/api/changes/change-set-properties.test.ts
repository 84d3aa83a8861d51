/** What holds for sets of changes of any kind, also while others change the same zone. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Change, recordsetsIn, sendSet } from '../../support/change-sets.ts';
import { runs } from '../../support/runs.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const RUNS = Math.min(300, runs(300, 30));
const CLIENTS = 16;
const ROUNDS = Math.min(20, runs(20, 5));

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  token = await service.token('shop', 'member');
});
afterAll(() => service.remove());

let zones = 0;
async function makeZone() {
  const name = `property-${++zones}.example.`;
  const body = { name, email: 'a@example.org' };
  const { json } = await service.request('POST', '/v2/zones', { token, body });
  return { id: json.id as string, name };
}
type Zone = Awaited<ReturnType<typeof makeZone>>;
const send = ({ id }: Zone, changes: readonly Change[], members = {}) =>
  sendSet(service, id, changes, { token, with: members });

/** A change, of few names, so that many meet. `@` stands for the name of the zone. */
const label = fc.constantFrom('a', 'b', 'sub', 'x.sub', 'y.sub', '@');
const name = label.map((one) => (one === '@' ? '@' : `${one}.@`));
const ttl = fc.option(fc.constantFrom(60, 300, null), { nil: undefined });
const description = fc.option(fc.constantFrom('one', null), { nil: undefined });
const address = fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4');
const data = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('A'), records: fc.uniqueArray(address, { minLength: 1 }) }),
  },
  fc.record({ type: fc.constant('TXT'), records: fc.constantFrom(['"x"'], ['"x"', '"y"'], ['x']) }),
  fc.record({ type: fc.constant('CNAME'), records: fc.constant(['target.example.']) }),
  fc.record({ type: fc.constant('NS'), records: fc.constantFrom(['ns.example.'], ['x.sub.@']) }),
);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc
    .tuple(fc.constantFrom('create', 'upsert'), name, data, ttl, description)
    .map(([action, at, one, seconds, text]) => ({
      action,
      name: at,
      ...one,
      ...(seconds !== undefined && { ttl: seconds }),
      ...(text !== undefined && { description: text }),
    })),
  fc.tuple(name, data, ttl).map(([at, one, seconds]) => ({
    action: 'replace',
    name: at,
    ...one,
    ...(seconds !== undefined && { ttl: seconds }),
  })),
  fc
    .tuple(fc.constantFrom('add', 'remove'), name, data)
    .map(([action, at, one]) => ({ action, name: at, ...one })),
  fc.tuple(name, data).map(([at, { type }]) => ({ action: 'delete', name: at, type })),
  name.map((at) => ({ action: 'delete', name: at })),
);
const set = fc.array(change, { minLength: 1, maxLength: 6 });

const within = (changes: readonly Change[], zone: Zone): Change[] =>
  JSON.parse(JSON.stringify(changes).replaceAll('@', zone.name));

/** The contents with their records in no order. */
const unordered = (contents: Awaited<ReturnType<typeof recordsetsIn>>) =>
  Object.fromEntries(
    Object.entries(contents).map(([key, one]) => [key, { ...one, records: one.records.toSorted() }]),
  );
const contentsOf = async (zone: Zone) => unordered(await recordsetsIn(service, zone.id, token));

type Answered = { readonly positions: readonly number[] };
/** An answer without what depends on the order of the changes, or on the clock. */
function timeless(json: Record<string, unknown>): unknown {
  const { id, from_serial, to_serial, links, zone_id, ...rest } = json;
  const changes = (rest.changes as Answered[] | undefined)?.map(({ positions, ...one }) => one);
  return { ...rest, changes };
}

/** Two zones of the same contents. */
async function twins(changes: readonly Change[]): Promise<readonly [Zone, Zone]> {
  const pair = [await makeZone(), await makeZone()] as const;
  for (const zone of pair) await send(zone, within(changes, zone));
  return pair;
}

/** Sets that are rarely refused, whatever the zone has. */
const likely = fc.array(
  fc
    .tuple(fc.constantFrom('upsert', 'add', 'remove'), name, address, ttl)
    .map(([action, at, one, seconds]) => ({
      action,
      name: at,
      type: 'A',
      records: [one],
      ...(action !== 'remove' && seconds !== undefined && { ttl: seconds }),
    })),
  { minLength: 1, maxLength: 3 },
);

interface MadeSet {
  readonly id: string | null;
  readonly to_serial: number;
  readonly changes: readonly {
    readonly name: string;
    readonly type: string;
    readonly effect: string;
    readonly before: unknown;
    readonly after: unknown;
  }[];
}

/** What a set changes. A plan holds for a recordset that others delete and create again alike, though its id is another one then. */
const effectsOf = ({ changes }: MadeSet) =>
  changes.filter(({ effect }) => effect !== 'unchanged').map((one) => ({ ...one, recordset_id: null }));

/** Plans a set and makes it. Returns what it did; undefined if it was refused, or changed nothing. */
async function planAndMake(zone: Zone, changes: readonly Change[]): Promise<MadeSet | undefined> {
  const wanted = within(changes, zone);
  const dry = await send(zone, wanted, { dry_run: true });
  if (dry.json.plan === undefined || dry.json.plan === null) return undefined;
  const applied = await send(zone, wanted, { plan: dry.json.plan });
  expect(applied.status).toBeLessThan(500);
  if (applied.status >= 300) return undefined;
  expect(applied.json.plan).toBe(dry.json.plan);
  expect(effectsOf(applied.json)).toEqual(effectsOf(dry.json));
  return applied.json.id === null ? undefined : applied.json;
}

/** The contents that sets leave, made in the order of their serials. Each must start where the one before it ended. */
function replayed(made: readonly MadeSet[]): ReadonlyMap<string, unknown> {
  const contents = new Map<string, unknown>();
  const effects = made
    .toSorted((one, other) => one.to_serial - other.to_serial)
    .flatMap(({ changes }) => changes);
  for (const { name: at, type, before, after } of effects) {
    expect(contents.get(`${at} ${type}`) ?? null).toEqual(before);
    if (after === null) contents.delete(`${at} ${type}`);
    else contents.set(`${at} ${type}`, after);
  }
  return contents;
}

/** Makes changes one after another. Returns false if one of them is refused. */
async function makeSingly(zone: Zone, changes: readonly Change[]): Promise<boolean> {
  for (const one of within(changes, zone)) if ((await send(zone, [one])).status >= 300) return false;
  return true;
}

describe('a set of changes', () => {
  it('gives the same answer in any order of its changes', async () => {
    const zone = await makeZone();
    await send(zone, within([{ action: 'create', name: 'a.@', type: 'A', records: ['192.0.2.1'] }], zone));
    await fc.assert(
      fc.asyncProperty(set, fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), async (changes, keys) => {
        const sorted = changes
          .map((one, place) => [keys[place]!, one] as const)
          .sort(([one], [other]) => one - other)
          .map(([, one]) => one);
        const first = await send(zone, within(changes, zone), { dry_run: true });
        const second = await send(zone, within(sorted, zone), { dry_run: true });
        expect(second.status).toBe(first.status);
        if (first.status === 200) expect(timeless(second.json)).toEqual(timeless(first.json));
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    ['records that a DNAME cannot have together', ['a.example.', 'b.example.'], ['a.example.', 'b.example.']],
    ['one good and one bad record', ['a.example.', 'not a name'], undefined],
  ])('shows the same in any order of additions that are refused: %s', async (_, targets, records) => {
    const zone = await makeZone();
    const additions = targets.map((one) => ({ action: 'add', name: 'a.@', type: 'DNAME', records: [one] }));
    const shown = [];
    for (const changes of [additions, additions.toReversed()]) {
      const { json } = await send(zone, within(changes, zone), { dry_run: true });
      expect(json.changes[0].after?.records).toEqual(records);
      shown.push(timeless(json));
    }
    expect(shown[0]).toEqual(shown[1]);
  });

  it('ends in the same zone as its changes one after another, where these all succeed', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(set, fc.oneof(set, likely), async (first, changes) => {
        const [whole, stepwise] = await twins(first.slice(0, 2));
        const together = await send(whole, within(changes, whole));
        const isConflict = together.status === 400 && together.json.type === 'invalid_object';
        if (!(await makeSingly(stepwise, changes)) || isConflict) return;
        compared += 1;
        expect(together.status).toBeLessThan(300);
        const named = JSON.stringify(await contentsOf(stepwise)).replaceAll(stepwise.name, whole.name);
        expect(JSON.stringify(await contentsOf(whole))).toEqual(named);
      }),
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(RUNS / 20);
  });

  it('does what its plan shows, or nothing, while others change the zone', async () => {
    const zone = await makeZone();
    const drawn = fc.sample(likely, { numRuns: CLIENTS * ROUNDS, seed: 42 });
    const made: MadeSet[] = [];
    const client = async (sets: readonly (readonly Change[])[]) => {
      for (const changes of sets)
        made.push(...[await planAndMake(zone, changes)].flatMap((one) => one ?? []));
    };
    await Promise.all(
      Array.from({ length: CLIENTS }, (_, place) =>
        client(drawn.slice(place * ROUNDS, (place + 1) * ROUNDS)),
      ),
    );
    expect(unordered(Object.fromEntries(replayed(made)) as never)).toEqual(await contentsOf(zone));
    expect(made.length).toBeGreaterThan(CLIENTS / 4);
    expect(made.length).toBeLessThanOrEqual(drawn.length);
  });
});
