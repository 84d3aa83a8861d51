import { expect, it } from 'vitest';
import { openStore } from '../../../src/storage/open.ts';
import { temporaryFolder } from '../../support/process.ts';

/** Zones enough that a filter takes long over them. */
const FILL = `insert into zones (id, name, subtree_key, project_id, email, ttl, serial, type, status, action, attributes,
    version, recordsets, records, description, created_at, updated_at, transferred_at)
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 100000)
  select 'id' || n, 'z' || n, 'z' || n, 'p', 'a@z', 60, 1, 'PRIMARY', 'ACTIVE', 'NONE', '{}', 1, 0, 0,
    replace(hex(zeroblob(200)), '0', 'a'), '', '', '' from numbers`;

it('a store that is closed ends the long reads that run and wait, and refuses those that come later', async () => {
  const folder = temporaryFolder();
  const store = await openStore({ dataDir: folder.path, busyTimeoutMs: 1000, readTimeoutMs: 600_000 });
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync(`${folder.path}/zonewarden.db`);
  database.exec(FILL);
  database.close();
  const filters = { description: `*${'a'.repeat(200)}b*` };
  const list = () =>
    store.zones.list({ filters, sortKey: 'ttl', sortDir: 'asc', limit: 1000 }, { projectId: 'p' }, 'p');
  const lists = Promise.allSettled(Array.from({ length: 50 }, list));
  await store.zones.list({ filters: {}, sortKey: 'ttl', sortDir: 'asc', limit: 1 }, { projectId: 'q' }, 'q');
  await store.close();
  const refusals = (await lists).filter(({ status }) => status === 'rejected');
  expect(refusals.length).toBeGreaterThan(40);
  await expect(list()).rejects.toMatchObject({ kind: 'storage_unavailable' });
  folder.remove();
});
