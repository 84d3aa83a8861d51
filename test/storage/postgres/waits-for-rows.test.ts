/** Transactions that wait for a row that another process changes. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { commandContext } from '../../../src/model/context/request-context.ts';
import { DEFAULT_POOL_ID } from '../../../src/model/pools/pool.ts';
import { openStore } from '../../../src/storage/open.ts';
import { eventually } from '../../support/eventually.ts';
import { useSecondarySite } from '../../support/secondaries.ts';
import { storeSettings } from '../../support/store.ts';

const PAST = '2001-01-01T00:00:00.000000';
const FUTURE = '2999-01-01T00:00:00.000000';
const OTHER_POOL = '00000000-0000-4000-8000-000000000001';

const site = useSecondarySite();

let other: pg.Client;
afterEach(() => other.end());

/** Begins a transaction of another process. */
async function begin(...statements: readonly string[]): Promise<void> {
  other = new pg.Client({ connectionString: storeSettings(site.dataDir).postgres!.connection });
  await other.connect();
  for (const statement of ['begin', ...statements]) await other.query(statement);
}

/** Commits it once as many transactions wait for its locks. */
async function commitOnceAwaited(count: number): Promise<void> {
  await eventually(async () => {
    const rows = await site.inStore(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length === count ? true : undefined;
  });
  await other.query('commit');
}

it('a zone that has moved meanwhile is locked with its new pool', async () => {
  const zone = await site.create();
  await begin(
    `insert into pools select (jsonb_populate_record(pools, '${JSON.stringify({
      id: OTHER_POOL,
      name: 'other',
      ns_records: '[{"hostname":"ns9.example.net.","priority":1}]',
    })}')).* from pools where id = '${DEFAULT_POOL_ID}'`,
    `update zones set pool_id = '${OTHER_POOL}' where id = '${zone.id}'`,
  );
  const locked = site.store.transaction((tx) => tx.zones.lock(zone.id, 'all projects'));
  await commitOnceAwaited(1);
  expect((await locked)?.pool).toMatchObject({ id: OTHER_POOL, nameServers: ['ns9.example.net.'] });
});

it('a zone that another project has given away meanwhile is not found', async () => {
  const zone = await site.create();
  await begin(`update zones set project_id = 'another' where id = '${zone.id}'`);
  const locked = site.store.transaction((tx) => tx.zones.lock(zone.id, { projectId: zone.projectId }));
  await commitOnceAwaited(1);
  expect(await locked).toBeUndefined();
});

it('a secondary zone expires once, though two processes find it', async () => {
  const zone = await site.create();
  await site.inStore(`update secondaries set expires_at = '${PAST}' where zone_id = '${zone.id}'`);
  await begin(`select 1 from secondaries where zone_id = '${zone.id}' for update`);
  const expire = () =>
    site.store.transaction((tx) => tx.secondaries.expire('2026-01-01T00:00:00.000000', 10));
  const both = Promise.all([expire(), expire()]);
  await commitOnceAwaited(2);
  expect((await both).flat().map(({ id }) => id)).toEqual([zone.id]);
});

it('a secondary zone does not expire if it has been transferred meanwhile', async () => {
  const zone = await site.create();
  await site.inStore(`update secondaries set expires_at = '${PAST}' where zone_id = '${zone.id}'`);
  await begin(`update secondaries set expires_at = '${FUTURE}' where zone_id = '${zone.id}'`);
  const expired = site.store.transaction((tx) => tx.secondaries.expire('2026-01-01T00:00:00.000000', 10));
  await commitOnceAwaited(1);
  expect(await expired).toEqual([]);
  const [row] = await site.inStore(`select expired from secondaries where zone_id = '${zone.id}'`);
  expect(Number(row?.expired)).toBe(0);
});

it('a wait that takes too long is a failure of the storage, though signs of life were sent meanwhile', async () => {
  const zone = await site.create();
  await begin(`select 1 from zones where id = '${zone.id}' for update`);
  const store = await openStore({ ...storeSettings(site.dataDir), busyTimeoutMs: 4000 });
  const locked = store.transaction((tx) => tx.zones.lock(zone.id, 'all projects'));
  await expect(locked).rejects.toMatchObject({ kind: 'storage_unavailable' });
  await store.close();
});

it('a secondary zone that is left to others is due at once', async () => {
  await begin();
  const zone = await site.create();
  const due = await site.claim(zone);
  expect(await site.useCases.secondaries.claim(10)).toEqual([]);
  await site.useCases.secondaries.released(due);
  expect((await site.useCases.secondaries.claim(10)).map(({ id }) => id)).toEqual([zone.id]);
});

it('a pattern that another process adds meanwhile is a duplicate', async () => {
  const context = commandContext('somebody');
  const { blacklist } = await site.useCases.blacklists.create(context, { pattern: '^a$' });
  const row = JSON.stringify({
    id: OTHER_POOL,
    number: 1_000_000,
    pattern: '^b$',
    pattern_hash: createHash('sha256').update('^b$').digest('hex'),
  });
  await begin(
    `insert into blacklists select (jsonb_populate_record(blacklists, '${row}')).* from blacklists where id = '${blacklist.id}'`,
  );
  const changed = site.useCases.blacklists.update(context, blacklist.id, { pattern: '^b$' });
  const isRefused = expect(changed).rejects.toMatchObject({ kind: 'duplicate_blacklist' });
  await commitOnceAwaited(1);
  await isRefused;
});
