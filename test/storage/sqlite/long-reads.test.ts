import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import type { Store } from '../../../src/model/store.ts';
import { openStore } from '../../../src/storage/open.ts';
import { temporaryFolder } from '../../support/process.ts';

/** Zones enough that a filter takes long over them. */
const FILL = `insert into zones (id, name, subtree_key, project_id, email, ttl, serial, type, status, action, attributes,
    version, recordsets, records, description, created_at, updated_at, transferred_at)
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 100000)
  select 'id' || n, 'z' || n, 'z' || n, 'p', 'a@z', 60, 1, 'PRIMARY', 'ACTIVE', 'NONE', '{}', 1, 0, 0,
    replace(hex(zeroblob(200)), '0', 'a'), '', '', '' from numbers`;

function fill(dataDir: string): void {
  const database = new DatabaseSync(`${dataDir}/zonewarden.db`);
  database.exec(FILL);
  database.close();
}

function slowList(store: Store) {
  const filters = { description: `*${'a'.repeat(200)}b*` };
  const query = { filters, sortKey: 'ttl', sortDir: 'asc', limit: 1000 } as const;
  return store.zones.list(query, { projectId: 'p' }, 'p');
}

it('a store that is closed ends the long reads that run and wait, and refuses those that come later', async () => {
  const folder = temporaryFolder();
  const settings = { dataDir: folder.path, busyTimeoutMs: 1000, readTimeoutMs: 600_000 };
  const store = await openStore(settings, true);
  fill(folder.path);
  const lists = Promise.allSettled(Array.from({ length: 50 }, () => slowList(store)));
  await store.zones.list({ filters: {}, sortKey: 'ttl', sortDir: 'asc', limit: 1 }, { projectId: 'q' }, 'q');
  await store.close();
  const refusals = (await lists).filter(({ status }) => status === 'rejected');
  expect(refusals.length).toBeGreaterThan(40);
  await expect(slowList(store)).rejects.toMatchObject({ kind: 'storage_unavailable' });
  folder.remove();
});

it('a long read of a command ends at the time limit', async () => {
  const folder = temporaryFolder();
  const store = await openStore({ dataDir: folder.path, busyTimeoutMs: 1000, readTimeoutMs: 5 });
  fill(folder.path);
  await expect(slowList(store)).rejects.toMatchObject({ kind: 'slow_read' });
  const query = { filters: {}, sortKey: 'created_at', sortDir: 'asc', limit: 1 } as const;
  expect((await store.zones.list(query, { projectId: 'p' }, 'p')).items).toHaveLength(1);
  await store.close();
  folder.remove();
});
