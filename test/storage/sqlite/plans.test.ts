import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { CompiledQuery, Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canonicalName, type Fqdn, type OwnerName } from '../../../src/dns/names.ts';
import { DEFAULT_POOL_ID } from '../../../src/model/pools/pool.ts';
import type { RecordsetQuery } from '../../../src/model/recordsets/recordset.ts';
import type { TransferQuery } from '../../../src/model/transfers/transfer.ts';
import type { ZoneQuery } from '../../../src/model/zones/zone.ts';
import { kyselyOver } from '../../../src/storage/database/kysely-over.ts';
import type { Schema } from '../../../src/storage/database/schema.ts';
import { guardrailReads } from '../../../src/storage/guardrails/guardrails.ts';
import { historyReads } from '../../../src/storage/history/history.ts';
import { openStore } from '../../../src/storage/open.ts';
import { moveCatalog } from '../../../src/storage/publication/catalog.ts';
import { findExpired, findExpiredIn } from '../../../src/storage/recordsets/expired.ts';
import { recordsetReads, recordsetWrites } from '../../../src/storage/recordsets/recordsets.ts';
import { SqliteConnection } from '../../../src/storage/sqlite/connection.ts';
import { statisticsReads } from '../../../src/storage/statistics.ts';
import { transferReads } from '../../../src/storage/transfers.ts';
import { zoneReads, zoneWrites } from '../../../src/storage/zones/zones.ts';
import { readsOver } from '../../support/reads.ts';

const NAMED: OwnerName = canonicalName('a.b.z.');
const dataDir = mkdtempSync(join(tmpdir(), 'zonewarden-plans-'));
const MARKER = '00000000-0000-4000-8000-000000000000';
const asked: CompiledQuery[] = [];
let database: InstanceType<typeof DatabaseSync>;
let db: Kysely<Schema>;
beforeAll(async () => {
  await (await openStore({ dataDir, busyTimeoutMs: 1000, readTimeoutMs: 5000 })).close();
  database = new DatabaseSync(join(dataDir, 'zonewarden.db'));
  database.exec(`
    insert into zones (id, name, subtree_key, project_id, email, ttl, serial, type, status, action, attributes, version,
      recordsets, records, created_at, updated_at, transferred_at)
      values ('z', 'z.', 'z', 'p', 'a@z', 60, 1, 'PRIMARY', 'ACTIVE', 'NONE', '{}', 1, 0, 0, '', '', '');
    insert into recordsets (id, zone_id, project_id, name, subtree_key, type, records, managed, version, created_at, updated_at)
      values ('${MARKER}', 'z', 'p', 'z.', 'z', 'A', '[]', 0, 1, '', '')`);
  database.function('in_time', { varargs: true }, () => 1);
  const connection = new SqliteConnection(database);
  db = kyselyOver('sqlite', async (query) => {
    asked.push(query);
    return connection.run(query);
  });
});
afterAll(() => {
  database.close();
  rmSync(dataDir, { recursive: true });
});

/** How the database goes about the queries that the work asks. */
async function plansOf(work: (db: Kysely<Schema>) => Promise<unknown>): Promise<string[]> {
  asked.length = 0;
  await work(db);
  return asked.map(({ sql, parameters }) => {
    const steps = database.prepare(`explain query plan ${sql}`).all(...(parameters as string[]));
    return (steps as { detail: string }[]).map(({ detail }) => detail).join('\n');
  });
}

const usual = { filters: {}, sortKey: 'created_at', sortDir: 'asc', limit: 20 } as const;
const everywhere = 'all projects';
const project = { projectId: 'p' };
const ZONE: Fqdn = canonicalName('example.');

it.each<[string, (db: Kysely<Schema>) => Promise<unknown>]>([
  ['zones', (db) => zoneReads(readsOver(db)).list(usual as ZoneQuery, everywhere, 'asker')],
  ['recordsets', (db) => recordsetReads(readsOver(db)).list(usual as RecordsetQuery, everywhere, 'asker')],
  [
    'transfer requests',
    (db) => transferReads(readsOver(db)).requests.list(usual as TransferQuery, everywhere, 'asker'),
  ],
  [
    'transfer accepts',
    (db) => transferReads(readsOver(db)).accepts.list(usual as TransferQuery, everywhere, 'asker'),
  ],
])('lists the %s of all projects without sorting them', async (_, work) => {
  const plans = await plansOf(work);
  expect(plans).toHaveLength(1);
  expect(plans[0]).not.toMatch('TEMP');
});

it('asks whether a zone has a protected recordset by an index that has no others', async () => {
  const plans = await plansOf((db) =>
    recordsetWrites({ now: db, later() {}, expect() {} }).findProtected('z'),
  );
  expect(plans).toEqual([expect.stringContaining('USING INDEX recordsets_protected (zone_id=?)')]);
});

it('finds expired recordsets, of all zones and of one, by indexes that have no others', async () => {
  const plans = await plansOf(async (db) => {
    await findExpired(db, '2001-01-01', undefined);
    await findExpiredIn(db, 'z', '2001-01-01', 10);
  });
  expect(plans).toEqual([
    expect.stringContaining('INDEX recordsets_expiring ('),
    expect.stringContaining('INDEX recordsets_expiring_of_zone ('),
  ]);
});

it.each([
  ['everywhere', everywhere],
  ['in a project', project],
  ['in a zone', { zoneId: 'z' }],
] as const)('finds and counts the recordsets of a name %s by the name', async (_, scope) => {
  const query: RecordsetQuery = { ...usual, filters: { name: 'a.example.' } };
  const plans = await plansOf(async (db) => {
    await recordsetReads(readsOver(db)).list(query, scope, 'asker');
    // What matches is counted where it is not all on the page.
    await recordsetReads(readsOver(db)).list({ ...query, marker: MARKER, isCounted: true }, scope, 'asker');
  });
  const [first, , next, count] = plans;
  expect(plans).toHaveLength(4);
  const byName = /SEARCH recordsets USING INDEX recordsets_named \(subtree_key=\?/;
  const inZone = /SEARCH recordsets USING INDEX \S+ \(zone_id=\? AND subtree_key=\?\)/;
  expect(first).toMatch(typeof scope === 'object' && 'zoneId' in scope ? inZone : byName);
  for (const plan of [next!, count!]) expect(plan).toMatch(byName);
});

it.each<[string, (db: Kysely<Schema>) => Promise<unknown>]>([
  ['who points at a name', (db) => guardrailReads(db).pointersTo('p', NAMED, 4)],
  ['which of one type points at it', (db) => guardrailReads(db).pointersTo('p', NAMED, 4, 'MX')],
  ['which types a name has', (db) => guardrailReads(db).typesAt('z', NAMED)],
  ['what is around a name', (db) => guardrailReads(db).around(NAMED)],
  ['how much is below a name', (db) => guardrailReads(db).countBelow('z', 'z', 100)],
  ['whether a project has a zone', (db) => guardrailReads(db).hasZone('p', NAMED)],
  ['which zones a server serves', (db) => guardrailReads(db).servedBy('p', NAMED, 4)],
  ['which zones of some names a project sees', (db) => zoneReads(readsOver(db)).seenAmong([ZONE], project)],
  ['which zones of some names there are', (db) => zoneReads(readsOver(db)).seenAmong([ZONE], everywhere)],
  ['when a zone last changed hands', (db) => historyReads(readsOver(db)).lastHandover('z')],
])('looks up by indexes alone: %s', async (_, work) => {
  const plans = await plansOf(work);
  expect(plans.length).toBeGreaterThan(0);
  // There are few pools, and few labels in a name.
  for (const plan of plans) expect(plan).not.toMatch(/SCAN (zones|recordsets|record_targets|zone_changes)/);
});

it('takes a zone into the catalog of its pool without reading the other members', async () => {
  database.exec(`update pools set catalog_fqdn = 'catalog.' where id = '${DEFAULT_POOL_ID}';
    insert into publications (zone_id, pool_id, label, serial, joining) values ('z', '${DEFAULT_POOL_ID}', 'z', 1, 1)`);
  const plans = await plansOf((to) => moveCatalog(to, DEFAULT_POOL_ID, 1, 10));
  const steps = plans
    .flatMap((plan) => plan.split('\n'))
    .filter((step) => /^\w+ catalog_members /.test(step));
  expect(steps.length).toBeGreaterThan(0);
  for (const step of steps) expect(step).toMatch(/\b(zone_id|label|to_serial)=\?/);
});

const waiting = (status: string) => (db: Kysely<Schema>) =>
  zoneReads(readsOver(db)).list(
    { ...usual, filters: { status }, sortKey: 'updated_at' },
    everywhere,
    'asker',
  );

it.each<[string, (db: Kysely<Schema>) => Promise<unknown>]>([
  ['lists zones that are PENDING', waiting('PENDING')],
  ['lists zones that are in ERROR', waiting('ERROR')],
  ['counts the zones by status', (db) => statisticsReads(readsOver(db)).zones('asker')],
])('%s without looking at those that are ACTIVE', async (_, work) => {
  const plans = await plansOf(work);
  for (const plan of plans)
    expect(plan.replaceAll('SCAN zones USING INDEX zones_leaving', '')).not.toMatch('SCAN zones');
  expect(plans.join()).toMatch('SEARCH zones USING INDEX sqlite_autoindex_zones_1 (id=?)');
});

it.each<[string, (db: Kysely<Schema>) => Promise<unknown>]>([
  ['zones of a project', (db) => zoneReads(readsOver(db)).list(usual as ZoneQuery, project, 'p')],
  ['zones of all projects', (db) => zoneReads(readsOver(db)).list(usual as ZoneQuery, everywhere, 'p')],
  ['recordsets', (db) => recordsetReads(readsOver(db)).list(usual as RecordsetQuery, project, 'p')],
  [
    'zones around a name',
    (db) =>
      zoneWrites({ now: db, later() {}, expect() {} }).conflicts([
        { name: canonicalName('a.example.'), projectId: 'p' },
      ]),
  ],
])('plans a read of %s once, however often it runs', async (_, work) => {
  let planned = 0;
  // SQLite asks it for everything that a plan looks at.
  database.setAuthorizer(() => {
    planned += 1;
    return 0;
  });
  try {
    await work(db);
    expect(planned).toBeGreaterThan(0);
    planned = 0;
    await work(db);
    expect(planned).toBe(0);
  } finally {
    database.setAuthorizer(null);
  }
});
