/** Zones that are searched for by a part of their name, and what is to be found. */
import { domainToASCII } from 'node:url';
import { afterEach, beforeEach, expect } from 'vitest';
import { DEFAULT_POOL_ID } from '../../src/model/pools/pool.ts';
import type { Store } from '../../src/model/store.ts';
import type { ZoneQuery } from '../../src/model/zones/zone.ts';
import { openStore } from '../../src/storage/open.ts';
import { temporaryFolder } from './process.ts';
import { Random } from './random.ts';
import { inStoreOf, makeStore, storeSettings } from './store.ts';

const SEED = 2;
const FILTERS = 60;
const PARTS = ['shop', 'münchen', 'a-b', 'xn', 'com', 'common', '_srv', '7', 'abcabc', 'straße'];

interface Row {
  readonly id: string;
  readonly name: string;
  readonly at: string;
}

export let folder: ReturnType<typeof temporaryFolder>;
let rows: Row[];
let random: Random;

/** Gives each test of a file a store of its own, in `folder`. */
export function withStores(): void {
  beforeEach(async () => {
    folder = temporaryFolder();
    await makeStore(folder.path);
    rows = [];
    random = new Random(SEED);
  });
  afterEach(() => folder.remove());
}

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const pick = <T>(from: readonly T[]): T => random.pick(from);

/** Zones that were created in another order than their ids say, some of them at one time. */
export async function add(from: number, count: number, prefix = ''): Promise<void> {
  const added = Array.from({ length: count }, (_, offset): Row => {
    const number = from + offset;
    const name = domainToASCII(
      `${prefix}${pick(PARTS)}${number}.${pick(PARTS)}.${pick(['example', 'test'])}.`,
    );
    return {
      id: idOf(number),
      name,
      at: `2026-01-01T00:00:00.${String((number * 7) % 1009).padStart(6, '0')}`,
    };
  });
  rows.push(...added);
  const values = added.map(
    ({ id, name, at }) =>
      `('${id}', '${name}', '${name}', 'shop', 'a@example.org', 60, 1, 'PRIMARY', 'ACTIVE', 'NONE', '{}', 1, 0, 0, 0, '${at}', '', '', '${DEFAULT_POOL_ID}')`,
  );
  await inStoreOf(
    folder.path,
    `insert into zones (id, name, subtree_key, project_id, email, ttl, serial, type, status, action, attributes, version,
      recordsets, records, bytes, created_at, updated_at, transferred_at, pool_id) values ${values.join(', ')}`,
  );
}

export async function remove(isGone: (row: Row, at: number) => boolean): Promise<void> {
  const gone = rows.filter(isGone).map(({ id }) => `'${id}'`);
  rows = rows.filter((row, at) => !isGone(row, at));
  await inStoreOf(folder.path, `delete from zones where id in (${gone.join(', ')})`);
}

/** Parts of names that are there, and some that are not. */
function someFilter(): string {
  const part = () => {
    const { name } = pick(rows);
    const start = random.below(name.length - 6);
    return name.slice(start, start + 1 + random.below(6));
  };
  const parts = Array.from({ length: 1 + random.below(3) }, part);
  const ends = pick([
    ['*', '*'],
    ['*', '*'],
    ['', '*'],
    ['*', ''],
  ] as const);
  return `${ends[0]}${parts.join('*')}${ends[1]}`;
}

function expected(filter: string): readonly string[] {
  const pattern = new RegExp(`^${filter.replace(/[.\\^$+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')}$`);
  const order = ({ at, id }: Row) => `${at} ${id}`;
  return rows
    .filter(({ name }) => pattern.test(name))
    .sort((one, other) => (order(one) < order(other) ? -1 : 1))
    .map(({ name }) => name);
}

export const query = (name: string): ZoneQuery => ({
  filters: { name },
  sortKey: 'created_at',
  sortDir: 'asc',
  limit: 1000,
  isCounted: true,
});

export async function expectSearches(store: Store): Promise<void> {
  const hard = [
    '*"""*',
    '*abc" OR "com*',
    "*com'*",
    '*%com%*',
    '*zzz*',
    '*com*com*',
    '*mün*',
    '*COM*',
    '*...*',
  ];
  for (const filter of [...Array.from({ length: FILTERS }, someFilter), ...hard]) {
    const page = await store.zones.list(query(filter), 'all projects', 'asker');
    const names = page.items.map(({ name }) => name);
    expect({ filter, names, total: page.total }).toEqual({
      filter,
      names: expected(filter),
      total: expected(filter).length,
    });
  }
}

export const never = new AbortController().signal;

export async function whileOpenIn<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(storeSettings(dataDir));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export const whileOpen = <T>(work: (store: Store) => Promise<T>): Promise<T> =>
  whileOpenIn(folder.path, work);

/** @returns in how many steps */
export async function indexAll({ nameIndex }: Store): Promise<number> {
  let steps = 1;
  while ((await nameIndex.catchUp(never)).more) steps += 1;
  return steps;
}
