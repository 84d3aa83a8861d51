/** A key does nothing, and learns nothing, that a key with a wider scope does not: random scopes and messages. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import { EXTENDED_ERROR } from '../../../src/dns/wire/edns.ts';
import type { TsigSecret } from '../../../src/dns/wire/tsig.ts';
import { type Ask, askByUdp } from '../../support/dns-client.ts';
import { NAMES, zoneOf } from '../../support/narrowing/alphabet.ts';
import { type DrawnScope, drawShareScope, drawWithin, readsPlace } from '../../support/narrowing/scopes.ts';
import { Random } from '../../support/random.ts';
import { runs } from '../../support/runs.ts';
import type { TestZone } from '../../support/tenant.ts';
import {
  add,
  inUse,
  noSet,
  notInUse,
  recordExists,
  removeName,
  removeRecord,
  removeSet,
  type SentRecord,
  type SentUpdate,
  sendUpdate,
  setExists,
  type UpdateAnswer,
  type UpdateWorld,
  updateWorld,
} from '../../support/updates.ts';

const MESSAGES = 40;
const DATA: Readonly<Record<string, readonly string[]>> = {
  A: ['192.0.2.1', '192.0.2.2'],
  TXT: ['"one"', '"two"'],
  MX: ['10 a.example.', '20 b.example.'],
  CNAME: ['a.example.', 'b.example.'],
};
const TYPES: readonly Ask['type'][] = ['A', 'A', 'A', 'TXT', 'TXT', 'TXT', 'MX', 'CNAME'];

/** A record of a message without its zone. */
interface DrawnRecord {
  readonly name: string;
  /** Undefined for all types. */
  readonly type: string | undefined;
  at(owner: string): SentRecord;
}

interface DrawnUpdate {
  readonly prerequisites: readonly DrawnRecord[];
  readonly updates: readonly DrawnRecord[];
}

type Make = (owner: string, type: string, data: string, ttl: number) => SentRecord;
const PREREQUISITES: readonly Make[] = [setExists, noSet, recordExists];
const OF_NAMES: readonly Make[] = [inUse, notInUse];
const adding: Make = (owner, type, data, ttl) => add(owner, type, ttl, data);
const UPDATES: readonly Make[] = [adding, adding, adding, removeSet, removeRecord];

function drawRecord(random: Random, typed: readonly Make[], untyped: readonly Make[]): DrawnRecord {
  const name = random.pick(NAMES);
  const type = random.pick(TYPES);
  const [data, ttl] = [random.pick(DATA[type]!), random.pick([300, 600])];
  const isTyped = random.chance(0.8);
  const make = random.pick(isTyped ? typed : untyped);
  return { name, type: isTyped ? type : undefined, at: (owner) => make(owner, type, data, ttl) };
}

function drawUpdate(random: Random): DrawnUpdate {
  const draw = (count: number, typed: readonly Make[], untyped: readonly Make[]) =>
    Array.from({ length: count }, () => drawRecord(random, typed, untyped));
  return {
    prerequisites: draw(random.pick([0, 0, 0, 1, 2]), PREREQUISITES, OF_NAMES),
    updates: draw(1 + random.below(3), UPDATES, [removeName]),
  };
}

const ownerOf = (name: string, zone: string): string => (name === '@' ? zone : `${name}.${zone}`);

function messageFor(zone: string, { prerequisites, updates }: DrawnUpdate): SentUpdate {
  const of = (records: readonly DrawnRecord[]) => records.map(({ name, at }) => at(ownerOf(name, zone)));
  return { zone, prerequisites: of(prerequisites), updates: of(updates) };
}

/** Whether all that a message names is in a scope, decided apart from the service. */
function isWithin(scope: DrawnScope, { prerequisites, updates }: DrawnUpdate): boolean {
  const zone = zoneOf('a');
  const [anyType = 'A'] = (scope.types ?? []) as readonly string[];
  return [...prerequisites, ...updates].every(({ name, type = anyType }) =>
    readsPlace(scope, { zone, name, type }),
  );
}

/** A zone with a key for each scope. */
interface Copy {
  readonly zone: TestZone;
  readonly wide: TsigSecret;
  readonly narrow: TsigSecret;
}

let world: UpdateWorld;
beforeAll(async () => {
  world = await updateWorld({
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn',
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    // A slow machine is no refusal.
    ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '60',
    ZONEWARDEN_STORAGE__POOL_TIMEOUT: '60',
  });
});
afterAll(() => world.service.remove());

async function openCopy(wide: DrawnScope, narrow: DrawnScope): Promise<Copy> {
  const zone = await world.tenant.makeZone();
  const keyWith = async (update: DrawnScope) =>
    (await world.makeKey({ update }, { resource_id: zone.id })).key;
  return { zone, wide: await keyWith(wide), narrow: await keyWith(narrow) };
}

async function send(copy: Copy, key: TsigSecret, update: DrawnUpdate): Promise<UpdateAnswer> {
  const answer = await sendUpdate(world.address, messageFor(copy.zone.name, update), { key });
  // The limits of a second, on a fast machine.
  return answer.error?.text.startsWith('Too many updates') ? send(copy, key, update) : answer;
}

/** TTL and records by name, relative to the zone, and type. */
async function stateOf({ zone }: Copy): Promise<ReadonlyMap<string, string>> {
  const { json } = await world.tenant.ask('GET', `/v2/zones/${zone.id}/recordsets?limit=1000`);
  const listed: { name: string; type: string; ttl: number | null; records: string[] }[] = json.recordsets;
  const own = listed.filter(({ type }) => type !== 'SOA' && type !== 'NS');
  return new Map(
    own.map(({ name, type, ttl, records }) => {
      return [`${name.replace(zone.name, '')} ${type}`, JSON.stringify([ttl, records])] as const;
    }),
  );
}

/** What has been done to recordsets. */
function actionsOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Set<string> {
  const gone = [...before.keys()].filter((key) => !after.has(key)).map(() => 'delete');
  const others = [...after].filter(([key, value]) => before.get(key) !== value);
  return new Set([...gone, ...others.map(([key]) => (before.has(key) ? 'update' : 'create'))]);
}

async function questionOf({ zone }: Copy, key: TsigSecret, name: string, type: Ask['type']) {
  const { header, answers } = await askByUdp(world.address, { name: ownerOf(name, zone.name), type, key });
  return { rcode: header.rcode, answers: answers.map(({ rdata }) => rdata) };
}

const counts = { done: 0, refused: 0, untested: 0, read: 0 };

/** The narrower key writes in one copy; if it may, the wider one does the same in the other. */
async function writeBoth(random: Random, narrow: DrawnScope, [first, second]: readonly [Copy, Copy]) {
  const update = drawUpdate(random);
  const about = JSON.stringify({ narrow, update: messageFor('ZONE.', update) });
  const before = await stateOf(first);
  const answer = await send(first, first.narrow, update);
  const done = actionsOf(before, await stateOf(first));
  const allowed = (narrow.actions ?? ['create', 'update', 'delete']) as readonly string[];
  expect(allowed, about).toEqual(expect.arrayContaining([...done]));
  if (!isWithin(narrow, update)) {
    counts.refused += 1;
    const { error } = answer;
    expect({ rcode: answer.rcode, code: error?.code }, about).toEqual({
      rcode: RCODE.REFUSED,
      code: EXTENDED_ERROR.PROHIBITED,
    });
  }
  if (answer.rcode === RCODE.REFUSED) {
    // So that the copies stay alike.
    const both = [await send(first, first.wide, update), await send(second, second.wide, update)];
    expect(both[0]!.rcode, about).toBe(both[1]!.rcode);
    return;
  }
  counts[answer.rcode === RCODE.NOERROR ? 'done' : 'untested'] += 1;
  expect((await send(second, second.wide, update)).rcode, about).toBe(answer.rcode);
}

async function readBoth(random: Random, narrow: DrawnScope, [first]: readonly [Copy, Copy]) {
  const [name, type] = [random.pick(NAMES), random.pick(TYPES)];
  const answer = await questionOf(first, first.narrow, name, type);
  if (!readsPlace(narrow, { zone: zoneOf('a'), name, type })) {
    expect(answer.answers).toEqual([]);
    return;
  }
  counts.read += answer.answers.length;
  expect(answer).toEqual(await questionOf(first, first.wide, name, type));
}

it('changes and learns nothing that a wider one does not', async () => {
  const rounds = runs(40, 4);
  for (let seed = 1; seed <= rounds; seed += 1) {
    const random = new Random(seed);
    const wide = drawShareScope(random) ?? {};
    const narrow = drawWithin(random, wide);
    const copies = [await openCopy(wide, narrow), await openCopy(wide, narrow)] as const;
    for (let sent = 0; sent < MESSAGES; sent += 1)
      await (random.chance(0.7) ? writeBoth : readBoth)(random, narrow, copies);
    expect(await stateOf(copies[0]), JSON.stringify({ seed, wide, narrow })).toEqual(
      await stateOf(copies[1]),
    );
  }
  for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(rounds / 3);
}, 600_000);
