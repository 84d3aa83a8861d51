/** Random scopes, and what they let read, decided apart from the service. */
import type { Random } from '../random.ts';
import { LABEL, type Place, type PlannedZone, TYPES, ZONES } from './alphabet.ts';

/** A scope as it is sent, with `LABEL`, and `{zone:KEY}` for ids. */
export type DrawnScope = Readonly<Record<string, unknown>>;

const ZONE_ENTRIES = [
  ...ZONES.map(({ key }) => `{zone:${key}}`),
  `a.${LABEL}.example.`,
  `*.${LABEL}.example.`,
  `*.b.${LABEL}.example.`,
  `**.${LABEL}.example.`,
  `**.b.${LABEL}.example.`,
  `*.${LABEL}.*.`,
  'b.**.',
  '**.example.',
  '**.',
];
const NAME_ENTRIES = [
  '@',
  'www',
  '*',
  '\\*',
  '**',
  '*.**',
  '_acme.**',
  '**.www',
  '*.www',
  'a.*',
  '**.a',
  '\\*.a',
];
const SHARED_ACTIONS = ['create', 'update', 'delete'];
const ACTIONS = [...SHARED_ACTIONS, 'create_zone', 'update_zone', 'delete_zone', 'plan', 'read'];
const NETWORKS = ['127.0.0.1', '127.0.0.0/8', '0.0.0.0/0', '127.0.0.0/30', '192.0.2.0/24'];

function some<T>(random: Random, all: readonly T[], most: number): readonly T[] {
  return [...new Set(Array.from({ length: 1 + random.below(most) }, () => random.pick(all)))];
}

const KEYS: Readonly<Record<string, { readonly chance: number; draw(random: Random): unknown }>> = {
  zones: { chance: 0.5, draw: (random) => some(random, ZONE_ENTRIES, 3) },
  names: { chance: 0.2, draw: (random) => some(random, NAME_ENTRIES, 3) },
  types: { chance: 0.2, draw: (random) => some(random, [...TYPES, 'NS', 'SOA'], 4) },
  actions: {
    chance: 0.3,
    draw: (random) => [...some(random, ACTIONS, 12), ...(random.chance(0.9) ? ['create_token'] : [])],
  },
  // All but the last one have the client.
  networks: { chance: 0.15, draw: (random) => some(random, NETWORKS, 4) },
  rate: {
    chance: 0.1,
    draw: (random) => ({ writes: 5 + random.below(20), per_seconds: random.pick([3600, 86_400]) }),
  },
  record_lifetime: { chance: 0.15, draw: (random) => random.pick([3600, 7200, 86_400]) },
};

/** Most often one within the other, if there is one: the service decides. */
export function drawScope(random: Random, outer: DrawnScope): DrawnScope {
  const drawn = Object.entries(KEYS).map(([key, { chance, draw }]) => {
    const given = outer[key];
    if (given === undefined) return [key, random.chance(chance) ? draw(random) : undefined] as const;
    if (random.chance(0.25)) return [key, draw(random)] as const;
    const isCut = Array.isArray(given) && random.chance(0.4);
    return [key, isCut ? some(random, given, given.length) : given] as const;
  });
  return Object.fromEntries(drawn.filter(([, value]) => value !== undefined));
}

/** What a share, or a key for updates, lets through; undefined for everything. */
export function drawShareScope(random: Random): DrawnScope | undefined {
  const scope = {
    ...(random.chance(0.4) && { names: some(random, NAME_ENTRIES, 4) }),
    ...(random.chance(0.4) && { types: some(random, TYPES, 3) }),
    ...(random.chance(0.3) && { actions: some(random, SHARED_ACTIONS, 3) }),
  };
  return Object.keys(scope).length === 0 ? undefined : scope;
}

/** One that lets nothing through that the other one does not: names, types and actions. */
export function drawWithin(random: Random, outer: DrawnScope): DrawnScope {
  const cut = Object.entries(outer as Readonly<Record<string, readonly unknown[]>>).map(
    ([key, given]) => [key, random.chance(0.5) ? some(random, given, given.length) : given] as const,
  );
  return { ...drawShareScope(random), ...Object.fromEntries(cut) };
}

/** @param text a pattern; without its final dot, if it is one of zones */
function matches(text: string, name: string): boolean {
  const parts = (text === '@' ? [] : text.split('.')).map((label) => {
    if (label === '**') return '([^.]+\\.)*';
    return label === '*' ? '[^.]+\\.' : `${label.replace('\\', '').replace('*', '\\*')}\\.`;
  });
  return new RegExp(`^${parts.join('')}$`).test(name === '@' ? '' : `${name}.`);
}

const lists = (scope: DrawnScope, key: string) => scope[key] as readonly string[] | undefined;

export function readsZone(scope: DrawnScope, zone: PlannedZone): boolean {
  const zones = lists(scope, 'zones');
  const isListed = (entry: string): boolean =>
    entry === `{zone:${zone.key}}` || matches(entry.slice(0, -1), zone.name.slice(0, -1));
  return (zone.owner === 'own' || zone.isShared === true) && (zones?.some(isListed) ?? true);
}

/** Whether a token of the project with this scope may read what is at a place. */
export function readsPlace(scope: DrawnScope, { zone, name, type }: Place): boolean {
  const isNamed = lists(scope, 'names')?.some((entry) => matches(entry, name)) ?? true;
  return readsZone(scope, zone) && isNamed && (lists(scope, 'types')?.includes(type) ?? true);
}
