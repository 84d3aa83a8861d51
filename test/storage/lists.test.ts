/** Every resource is listed and counted in one way. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalName, type Fqdn, type OwnerName } from '../../src/dns/names.ts';
import {
  BLACKLIST_FILTERS,
  BLACKLIST_SORT_KEYS,
  DEFAULT_TERMS,
} from '../../src/model/blacklists/blacklist.ts';
import type { ListQuery, Lists } from '../../src/model/lists.ts';
import { RECORDSET_FILTERS, RECORDSET_SORT_KEYS } from '../../src/model/recordsets/recordset.ts';
import type { Store, Transaction } from '../../src/model/store.ts';
import { ZONE_TASK_FILTERS, ZONE_TASK_SORT_KEYS } from '../../src/model/tasks/zone-task.ts';
import { TRANSFER_FILTERS, TRANSFER_SORT_KEYS } from '../../src/model/transfers/transfer.ts';
import { ZONE_FILTERS, ZONE_SORT_KEYS } from '../../src/model/zones/zone.ts';
import { openStore } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/process.ts';
import { storeSettings } from '../support/store.ts';
import { DEFAULT_POOL } from '../support/zone.ts';

type AnyLists = Lists<{ readonly id: string }, ListQuery<string, string>, unknown>;

const ASKER = 'asker';
const ROWS = 7;
const own = { projectId: 'own' };
const numbers = Array.from({ length: ROWS }, (_, number) => number);
const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

/** Values come up more than once, and in another order than the ids. */
async function addRow(tx: Transaction, number: number, projectId: string): Promise<void> {
  const id = idOf(number);
  const createdAt = `2026-01-01T00:00:00.00000${(number * 3) % 5}`;
  const updatedAt = number % 3 === 0 ? null : '2026-01-02T00:00:00.000000';
  const description = number % 2 === 0 ? 'even' : null;
  const common = { id, projectId, description, version: 1, createdAt, updatedAt };
  tx.zones.insert({
    ...common,
    name: canonicalName(`zone${(number * 5) % 7}.${projectId}.example.`),
    pool: DEFAULT_POOL,
    movesTo: null,
    type: 'PRIMARY',
    masters: [],
    isAwaited: false,
    email: 'a@example.org',
    ttl: number % 2,
    soa: null,
    protection: null,
    serial: number % 3,
    status: 'ACTIVE',
    action: 'NONE',
    attributes: {},
    recordsets: 0,
    records: 0,
    bytes: 0,
    notified: '',
    guardrails: null,
    transferredAt: null,
    shared: false,
  });
  const recordset = {
    ...common,
    zoneId: id,
    name: canonicalName<OwnerName>(`name${number % 2}.example.`),
    type: number % 2 === 0 ? 'A' : 'TXT',
    ttl: number % 3 === 0 ? null : number % 2,
    records: [`record ${number % 2}`],
    spellings: {},
    bytes: 30,
    protection: null,
    expiresAt: null,
    managed: false,
  } as const;
  await tx.recordsets.insert([recordset], 1);
  tx.zoneTasks.insert({ ...common, kind: 'import', zoneId: id, status: 'COMPLETE', message: 'done' });
  const request = {
    ...common,
    zoneId: id,
    zoneName: canonicalName<Fqdn>('zone.example.'),
    wrongKeys: 0,
    key: 'key',
  };
  await tx.transfers.insertRequest({ ...request, targetProjectId: null, status: 'COMPLETE' });
  tx.transfers.insertAccept({ ...common, requestId: id, zoneId: id, key: 'key' });
}

const folder = temporaryFolder();
let store: Store;
beforeAll(async () => {
  store = await openStore(storeSettings(folder.path));
  await store.transaction(async (tx) => {
    for (const number of numbers) await addRow(tx, number, own.projectId);
    await addRow(tx, 8, 'another');
    tx.projects.grow(own.projectId, { zones: ROWS, recordsets: ROWS });
    const patterns = numbers.map((number) => ({
      id: idOf(number),
      pattern: `^pattern${(number * 5) % 7}`,
      description: number % 2 === 0 ? 'even' : null,
      createdAt: `2026-01-01T00:00:00.00000${(number * 3) % 5}`,
      updatedAt: null,
      exhausted: null,
      hits: null,
      lists: [],
      ...DEFAULT_TERMS,
    }));
    for (const pattern of patterns) await tx.blacklists.insert(pattern, '');
  });
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

interface Resource {
  readonly sortKeys: readonly string[];
  readonly filters: readonly string[];
  /** A filter that some rows match and others do not, and how many do. */
  readonly some?: readonly [filter: string, text: string, count: number];
  readonly within: unknown;
  /** How many are counted where nothing is filtered: the counters know of the SOA and NS of each zone, too. */
  readonly total?: number;
  lists(): unknown;
}

const RESOURCES: readonly [string, Resource][] = [
  [
    'zones',
    {
      sortKeys: ZONE_SORT_KEYS,
      filters: ZONE_FILTERS,
      some: ['ttl', '1', 3],
      within: own,
      lists: () => store.zones,
    },
  ],
  [
    'recordsets',
    {
      sortKeys: RECORDSET_SORT_KEYS,
      filters: RECORDSET_FILTERS,
      some: ['data', 'record *1', 3],
      within: own,
      total: ROWS + 2 * ROWS,
      lists: () => store.recordsets,
    },
  ],
  [
    'blacklists',
    {
      sortKeys: BLACKLIST_SORT_KEYS,
      filters: BLACKLIST_FILTERS,
      some: ['description', 'ev*', 4],
      within: undefined,
      lists: () => store.blacklists,
    },
  ],
  [
    'imports',
    {
      sortKeys: ZONE_TASK_SORT_KEYS,
      filters: ZONE_TASK_FILTERS,
      some: ['zone_id', idOf(2), 1],
      within: { kind: 'import', scope: own },
      lists: () => store.zoneTasks,
    },
  ],
  [
    'transfer requests',
    {
      sortKeys: TRANSFER_SORT_KEYS,
      filters: TRANSFER_FILTERS,
      within: own,
      lists: () => store.transfers.requests,
    },
  ],
  [
    'transfer accepts',
    {
      sortKeys: TRANSFER_SORT_KEYS,
      filters: TRANSFER_FILTERS,
      within: own,
      lists: () => store.transfers.accepts,
    },
  ],
];

/** How many match on all pages. */
async function totalOf(lists: AnyLists, within: unknown, asked: Partial<ListQuery<string, string>>) {
  return (await lists.list({ ...usual, isCounted: true, ...asked }, within, ASKER)).total;
}

const usual = { filters: {}, sortKey: 'created_at', sortDir: 'asc', limit: 1000 } as const;

describe.each(RESOURCES)('%s', (_, { sortKeys, filters, some, within, total, lists: listsIn }) => {
  const lists = () => listsIn() as AnyLists;

  /** The ids on all pages. */
  async function pagesOf(query: Omit<ListQuery<string, string>, 'marker'>): Promise<string[]> {
    const ids: string[] = [];
    for (;;) {
      const marker = ids.at(-1);
      const page = await lists().list(marker === undefined ? query : { ...query, marker }, within, ASKER);
      ids.push(...page.items.map(({ id }) => id));
      if (!page.more) return ids;
      expect(page.items).toHaveLength(query.limit);
    }
  }

  it.each(sortKeys)(
    'by %s are the same page by page as at once, and the other way round backwards',
    async (sortKey) => {
      const query = { ...usual, sortKey };
      const { items, more } = await lists().list(query, within, ASKER);
      const ids = items.map(({ id }) => id);
      expect([ids.length, new Set(ids).size, more]).toEqual([ROWS, ROWS, false]);
      for (const limit of [1, 3, ROWS]) expect(await pagesOf({ ...query, limit })).toEqual(ids);
      expect(await pagesOf({ ...query, sortDir: 'desc', limit: 2 })).toEqual(ids.toReversed());
    },
  );

  it('are counted, filtered or not', async () => {
    const count = (matches: Readonly<Record<string, string>>) =>
      totalOf(lists(), within, { filters: matches });
    expect(await count({})).toBe(total ?? ROWS);
    for (const filter of filters) {
      expect(await count({ [filter]: 'no such text' })).toBe(0);
      const { items } = await lists().list({ ...usual, filters: { [filter]: '*' } }, within, ASKER);
      expect(await count({ [filter]: '*' })).toBe(items.length);
    }
  });

  it('have the same count on every page', async () => {
    const cases = some === undefined ? [] : [some];
    for (const [filter, text, count] of cases) {
      const matches = { filters: { [filter]: text } };
      for (const page of [{}, { limit: 1 }, { marker: idOf(6) }]) {
        expect(await totalOf(lists(), within, { ...matches, ...page })).toBe(count);
      }
      expect(await pagesOf({ ...usual, ...matches, limit: 2 })).toHaveLength(count);
    }
  });

  it('go on after an entry that the filters leave out, and after none that is not there', async () => {
    for (const filter of filters) {
      const query = { ...usual, filters: { [filter]: 'no such text' } };
      const page = await lists().list({ ...query, marker: idOf(1) }, within, ASKER);
      expect(page).toEqual({ items: [], more: false });
    }
    const elsewhere = lists().list({ ...usual, marker: idOf(8) }, within, ASKER);
    await expect(elsewhere).rejects.toMatchObject({ kind: 'marker_not_found' });
  });
});
