/** How PostgreSQL goes about the queries of the store, once a statement has been prepared and used for a while. */
import type { CompiledQuery, Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canonicalName, type Fqdn, type OwnerName } from '../../../src/dns/names.ts';
import type { DeletedZoneQuery } from '../../../src/model/deleted-zones/deleted-zone.ts';
import type { RecordsetQuery } from '../../../src/model/recordsets/recordset.ts';
import type { TransferQuery } from '../../../src/model/transfers/transfer.ts';
import type { Zone, ZoneQuery } from '../../../src/model/zones/zone.ts';
import { blacklistReads } from '../../../src/storage/blacklists/blacklists.ts';
import type { OpenTransaction } from '../../../src/storage/database/database.ts';
import { statementsOver } from '../../../src/storage/database/kysely-over.ts';
import type { Schema } from '../../../src/storage/database/schema.ts';
import { deletedZoneReads, deletedZoneWrites } from '../../../src/storage/deleted-zones/deleted-zones.ts';
import { guardrailReads } from '../../../src/storage/guardrails/guardrails.ts';
import { historyReads } from '../../../src/storage/history/history.ts';
import { openStore } from '../../../src/storage/open.ts';
import { findExpired, findExpiredIn } from '../../../src/storage/recordsets/expired.ts';
import { recordsetReads, recordsetWrites } from '../../../src/storage/recordsets/recordsets.ts';
import { findSurroundings } from '../../../src/storage/recordsets/surroundings.ts';
import { tldWrites } from '../../../src/storage/tlds.ts';
import { transferReads } from '../../../src/storage/transfers.ts';
import { verificationReads } from '../../../src/storage/verification/verification.ts';
import { zoneReads, zoneWrites } from '../../../src/storage/zones/zones.ts';
import { temporaryFolder } from '../../support/process.ts';
import { readsOver } from '../../support/reads.ts';
import { storeSettings } from '../../support/store.ts';

/** A custom plan is made for the first five uses; after them the one for any value may be taken. */
const USES = 7;
const ZONES = 4000;
const PATTERNS = 10_000;
const MARKER = '00000000-0000-4000-8000-000000000000';

const NAMED: OwnerName = canonicalName('t0.example.');

const folder = temporaryFolder();
let client: pg.Client;
let tx: OpenTransaction;
let asked: CompiledQuery[] = [];

const id = (number: string) => `'00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0')`;
const when = (number: string) => `'2026-01-01T00:00:00.' || lpad((${number})::text, 6, '0')`;

/** Half of the zones are one project's, and half of the recordsets one zone's. */
const FILL = [
  `insert into projects (project_id, zones, recordsets)
    select 'p' || n, 10, 20 from generate_series(0, 200) n`,
  `insert into zones (id, name, subtree_key, project_id, email, ttl, serial, type, status, action, attributes,
      version, recordsets, records, created_at, updated_at, transferred_at)
    select ${id('n')}, 'z' || n || '.example.', 'example!z' || n, 'p' || case when n % 2 = 0 then 0 else n % 200 end,
      'a@example.org', 60, 1, 'PRIMARY', 'ACTIVE', 'NONE', '{}', 1, 3, 3, ${when('n')}, '', ''
    from generate_series(0, ${ZONES - 1}) n`,
  `insert into recordsets (id, zone_id, project_id, name, subtree_key, type, ttl, records, description, managed, version,
      created_at, updated_at)
    select ${id('n')}, ${id('z')}, 'p' || case when z % 2 = 0 then 0 else z % 200 end,
      'r' || n || '.z' || z || '.example.', 'example!z' || z || '!r' || n, 'A', 60, '["192.0.2.1"]', null, 0, 1,
      ${when('n')}, ''
    from (select n, case when n % 2 = 0 then 0 else n % ${ZONES} end as z from generate_series(0, 40000) n) as numbers`,
  `insert into blacklists (id, number, pattern, pattern_hash, pattern_start, description, created_at, updated_at,
      exhausted_count, exhausted_at)
    select ${id('n')}, n, '^n' || n, md5(n::text), '^n' || n, null, ${when('n')}, '', 0, ''
    from generate_series(1, ${PATTERNS}) n`,
  `update blacklist_revision set revision = ${PATTERNS}`,
  `insert into tlds (id, name, description, created_at, updated_at)
    select ${id('n')}, 't' || n, null, ${when('n')}, '' from generate_series(1, 10000) n`,
  `insert into zone_shares (id, zone_id, project_id, target_project_id, recordsets, created_at, updated_at)
    select ${id('n')}, ${id('n')}, 'p' || case when n % 2 = 0 then 0 else n % 200 end, 'p' || (n + 1) % 200, 1, ${when('n')}, ''
    from generate_series(0, ${ZONES - 1}) n`,
  `insert into record_targets (key, recordset_id, project_id, target, type)
    select ${id('n')} || ' t', ${id('n')}, 'p' || case when n % 2 = 0 then 0 else n % 200 end,
      't' || case when n % 2 = 0 then 0 else n end || '.example.', case when n % 3 = 0 then 'MX' else 'CNAME' end
    from generate_series(0, 40000) n`,
  `insert into zone_changes (id, zone_id, project_id, at, door, actor, zone, number, from_serial, to_serial, difference_bytes,
      bytes_until, served_after, served_bytes, size, created, updated, deleted, kept, effects)
    select ${id('n')}, ${id('case when n % 2 = 0 then 0 else n end')}, 'p0', ${when('n')}, 'api', '{}',
      '{"ttl":[60],"email":["a@example.org"],"projectId":["p0"],"soa":["x"]}', n, n, n + 1, 10, n, 0, 100, 200, 1, 0, 0, 1, ''
    from generate_series(0, 20000) n`,
  `insert into deleted_zones (id, name, project_id, type, serial, recordsets, deleted_at, contents_id, zone, size, settled)
    select ${id('n')}, 'd' || n || '.example.', 'p' || case when n % 2 = 0 then 0 else n % 200 end, 'PRIMARY', 1, 3,
      ${when('n')}, ${id('n')}, '{}', 100, case when n % 1000 = 0 then 0 else 1 end
    from generate_series(0, ${ZONES - 1}) n`,
  `insert into deleted_contents (id, part)
    select ${id('n')} || '/00000000', 'part' from generate_series(0, ${ZONES - 1}) n`,
  `insert into forgotten_contents (contents_id) select ${id('7')}`,
  'analyze',
];

beforeAll(async () => {
  const settings = storeSettings(folder.path);
  const store = await openStore(settings);
  await store.recordsetIndexes.catchUp(new AbortController().signal);
  await store.close();
  client = new pg.Client({ connectionString: settings.postgres!.connection, pipeline: true });
  await client.connect();
  for (const statement of FILL) await client.query(statement);
  tx = statementsOver('postgresql', async (query) => {
    asked.push(query);
    const { rows } = await client.query(query.sql, query.parameters as unknown[]);
    return { rows: rows as never[] };
  });
});
afterAll(async () => {
  await client.end();
  folder.remove();
});

interface Step {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Filter?: string;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly Step[];
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];
const literal = (value: unknown) =>
  typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value));

async function planOf({ sql, parameters }: CompiledQuery): Promise<Step[]> {
  await client.query(`prepare tried as ${sql}`);
  const values = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`;
  let steps: Step[] = [];
  for (let use = 0; use < USES; use++) {
    await client.query(`execute tried ${values}`);
    const { rows } = await client.query(`explain (format json) execute tried ${values}`);
    steps = stepsOf(rows[0]['QUERY PLAN'][0].Plan);
  }
  await client.query('deallocate tried');
  return steps;
}

/** How the database goes about the queries that the work asks. */
async function plansOf(work: (db: Kysely<Schema>) => Promise<unknown>): Promise<Step[][]> {
  asked = [];
  await work(tx.now);
  const plans: Step[][] = [];
  for (const query of asked) plans.push(await planOf(query));
  return plans;
}

/**
 * Every step that reads a whole table which grows, or that has to see all rows before it gives the first one. An
 * incremental sort is none: it goes by an index and puts in order what is equal there.
 */
function atLength(plans: readonly Step[][]): string[] {
  // The zones that are shared with a project are few, and are put in order.
  const isOfShares = (step: Step) => stepsOf(step).some((one) => one['Relation Name'] === 'zone_shares');
  const growing = [
    'zones',
    'zone_shares',
    'recordsets',
    'blacklists',
    'zone_transfer_requests',
    'zone_transfer_accepts',
    'record_targets',
    'zone_changes',
    'deleted_zones',
    'deleted_contents',
  ];
  return plans
    .flat()
    .filter((step) => {
      const isWhole = step['Node Type'] === 'Seq Scan' && growing.includes(step['Relation Name'] ?? '');
      return isWhole || (/^Sort|Hash/.test(step['Node Type']) && !isOfShares(step));
    })
    .map((step) => `${step['Node Type']} ${step['Relation Name'] ?? ''}`);
}

const everywhere = 'all projects';
const large = { projectId: 'p0' };
const small = { projectId: 'p7' };
const usual = { filters: {}, sortKey: 'created_at', sortDir: 'asc', limit: 20 } as const;
const later = { ...usual, marker: '00000000-0000-4000-8000-000000002000' };
const zone = {
  id: '00000000-0000-4000-8000-000000000000',
  name: canonicalName('z0.example.'),
  projectId: 'p0',
} as Zone;

it.each<[string, (db: Kysely<Schema>) => Promise<unknown>]>([
  ['zones of all projects', (db) => zoneReads(readsOver(db)).list(usual as ZoneQuery, everywhere, 'asker')],
  [
    'zones of all projects, a later page',
    (db) => zoneReads(readsOver(db)).list(later as ZoneQuery, everywhere, 'asker'),
  ],
  ['zones of a large project', (db) => zoneReads(readsOver(db)).list(usual as ZoneQuery, large, 'asker')],
  [
    'zones of a large project, a later page',
    (db) => zoneReads(readsOver(db)).list(later as ZoneQuery, large, 'asker'),
  ],
  [
    'recordsets of all projects',
    (db) => recordsetReads(readsOver(db)).list(usual as RecordsetQuery, everywhere, 'asker'),
  ],
  [
    'recordsets of a large project',
    (db) => recordsetReads(readsOver(db)).list(usual as RecordsetQuery, large, 'asker'),
  ],
  [
    'recordsets of a large zone',
    (db) => recordsetReads(readsOver(db)).list(usual as RecordsetQuery, { zoneId: zone.id }, 'asker'),
  ],
  [
    'recordsets of a large zone, a later page',
    (db) => recordsetReads(readsOver(db)).list(later as RecordsetQuery, { zoneId: zone.id }, 'asker'),
  ],
  ['blacklists', (db) => blacklistReads(readsOver(db)).list({ ...usual }, undefined, 'asker')],
  ['blacklists, a later page', (db) => blacklistReads(readsOver(db)).list({ ...later }, undefined, 'asker')],
  [
    'blacklists by pattern',
    (db) => blacklistReads(readsOver(db)).list({ ...usual, sortKey: 'pattern' }, undefined, 'asker'),
  ],
  ['zones, for the verification', (db) => verificationReads(db).zonesInTreeOrder(undefined)],
])('lists the %s without sorting them or reading all of them', async (_, work) => {
  const plans = await plansOf(work);
  expect(plans.length).toBeGreaterThan(0);
  expect(atLength(plans)).toEqual([]);
});

it.each<[string, (db: Kysely<Schema>) => Promise<unknown>]>([
  ['zones', (db) => zoneReads(readsOver(db)).list(usual as ZoneQuery, small, 'asker')],
  ['recordsets', (db) => recordsetReads(readsOver(db)).list(usual as RecordsetQuery, small, 'asker')],
])('lists the %s of a small project without reading those of others', async (_, work) => {
  const plans = await plansOf(work);
  expect(atLength(plans)).toEqual([]);
  expect(plans.flat().map((step) => step['Index Name'])).not.toContain('zones_created');
  expect(plans.flat().map(({ Filter }) => Filter ?? '')).not.toContainEqual(
    expect.stringMatching('project_id'),
  );
});

it('finds what a new zone hides, and what hides a recordset, by indexes, and stops where it stops counting', async () => {
  const plans = await plansOf(async (db) => {
    await zoneReads(readsOver(db)).hiddenBy([
      canonicalName('r2.z0.example.'),
      canonicalName('a.b.z1.example.'),
    ]);
    const { items } = await recordsetReads(readsOver(db)).list(usual as RecordsetQuery, large, 'asker');
    await recordsetReads(readsOver(db)).withHiders(items, 'asker');
  });
  const [hidden, , hiders] = plans;
  for (const plan of [hidden!, hiders!]) {
    const growing = plan.filter((step) => ['zones', 'recordsets'].includes(step['Relation Name'] ?? ''));
    expect(new Set(growing.map((step) => step['Node Type']))).not.toContain('Seq Scan');
  }
  const scans = hidden!.filter((step) => step['Relation Name'] === 'recordsets');
  expect(new Set(scans.map((step) => step['Index Name']))).toEqual(new Set(['recordsets_owner']));
  // Each of them is read in the order of the index, and ends with the last row that counts.
  const limits = hidden!.filter((step) => step['Node Type'] === 'Limit');
  const limited = limits
    .flatMap(({ Plans }) => Plans!)
    .filter((step) => step['Relation Name'] === 'recordsets');
  expect(limited).toHaveLength(scans.length);
  expect(hiders!.map((step) => step['Index Name'])).toContain('zones_subtree');
});

it.each([
  ['everywhere', everywhere],
  ['in a large project', large],
  ['in a small project', small],
] as const)('lists deleted zones %s, and those of a name, by indexes', async (_, scope) => {
  const query: DeletedZoneQuery = { filters: {}, sortKey: 'deleted_at', sortDir: 'desc', limit: 20 };
  const plans = await plansOf(async (db) => {
    const { list } = deletedZoneReads(readsOver(db));
    await list(query, scope, 'asker');
    await list({ ...query, filters: { name: 'd2.example.' } }, scope, 'asker');
  });
  const scans = plans.flat().filter((step) => step['Relation Name'] === 'deleted_zones');
  expect(new Set(scans.map((step) => step['Node Type']))).not.toContain('Seq Scan');
});

it('restores and forgets deleted zones by indexes', async () => {
  const plans = await plansOf(async () => {
    const writes = deletedZoneWrites(tx);
    await writes.serialsOf(canonicalName('d2.example.'));
    for await (const _ of writes.contents(MARKER, 'asker'));
    await writes.removeContents(100);
    await writes.expire('2000-01-01T00:00:00.000000', 100);
    await writes.shorten({ zones: 10_000, bytes: Number.POSITIVE_INFINITY }, 100);
  });
  // A table of this size is read as a whole for a hundred ids.
  const found = plans.filter((_, at) => !asked[at]!.sql.includes('json_array_elements_text'));
  const scans = found.flat().filter((step) => step['Node Type'] === 'Seq Scan');
  const tables = scans.map((step) => step['Relation Name']);
  for (const table of ['zones', 'deleted_zones', 'deleted_contents']) expect(tables).not.toContain(table);
});

it('asks once what hides recordsets, however many labels their names have', async () => {
  const plans = await plansOf(async (db) => {
    const { items } = await recordsetReads(readsOver(db)).list(usual as RecordsetQuery, large, 'asker');
    const deep = items.map((one) => ({ ...one, name: canonicalName(`${'a.'.repeat(100)}${one.name}`) }));
    await recordsetReads(readsOver(db)).withHiders(deep, 'asker');
  });
  const asked = plans.filter((plan) => plan.some((step) => step['Index Name'] === 'zones_subtree'));
  expect(asked).toHaveLength(1);
});

it.each([
  ['everywhere', everywhere],
  ['in a project', large],
  ['in a zone', { zoneId: zone.id }],
] as const)('finds and counts the recordsets of a name %s by the name', async (_, scope) => {
  const query: RecordsetQuery = { ...usual, filters: { name: 'r2.z0.example.' } };
  const plans = await plansOf(async (db) => {
    await recordsetReads(readsOver(db)).list(query, scope, 'asker');
    // What matches is counted where it is not all on the page.
    await recordsetReads(readsOver(db)).list({ ...query, marker: MARKER, isCounted: true }, scope, 'asker');
  });
  const [first, , next, count] = plans;
  expect(plans).toHaveLength(4);
  for (const plan of [first!, next!, count!]) {
    expect(plan.map((step) => step['Index Name'])).toContain('recordsets_named');
  }
});

it('asks whether a zone may be created, and what lies around a recordset, by short range reads alone', async () => {
  const name: Fqdn = canonicalName('new.z0.example.');
  const plans = await plansOf(async (db) => {
    const writes = zoneWrites(tx);
    await writes.conflicts([{ name, projectId: 'p1' }]);
    await writes.conflicts([
      { name, projectId: 'p1' },
      { name: canonicalName('z1.example.'), projectId: 'p2' },
    ]);
    await writes.hasChildren(name);
    await findSurroundings(db, zone, {
      name: canonicalName('x.y.z0.example.'),
      type: 'NS',
      records: ['a.example.'],
    });
    await zoneReads(readsOver(db)).fullest('p0', 'records');
    await zoneReads(readsOver(db)).fullest('p0', 'bytes');
  });
  expect(plans.length).toBeGreaterThan(5);
  expect(atLength(plans).filter((step) => !/^Sort/.test(step))).toEqual([]);
});

it.each<[string, (db: Kysely<Schema>) => Promise<unknown>]>([
  ['who points at a name', (db) => guardrailReads(db).pointersTo('p0', NAMED, 4)],
  ['which of one type points at it', (db) => guardrailReads(db).pointersTo('p0', NAMED, 4, 'MX')],
  ['which types a name has', (db) => guardrailReads(db).typesAt(zone.id, NAMED)],
  ['what is around a name', (db) => guardrailReads(db).around(canonicalName('a.b.r2.z0.example.'))],
  ['how much is below a name', (db) => guardrailReads(db).countBelow(zone.id, 'example!z0', 100)],
  ['whether a project has a zone', (db) => guardrailReads(db).hasZone('p0', canonicalName('z0.example.'))],
  ['which zones a server serves', (db) => guardrailReads(db).servedBy('p0', NAMED, 4)],
])('looks up for guardrails by indexes alone: %s', async (_, work) => {
  const plans = await plansOf(work);
  expect(plans.length).toBeGreaterThan(0);
  expect(atLength(plans).filter((step) => !/^(Sort|Hash) *$/.test(step))).toEqual([]);
});

it('reads the changes of a zone by an index, with the effects of those alone that fit a page', async () => {
  const plans = await plansOf((db) =>
    historyReads(readsOver(db)).changesWithEffects({ zoneId: zone.id, limit: 100 }, 'asker'),
  );
  expect(atLength(plans).filter((step) => /zone_changes/.test(step))).toEqual([]);
});

it('finds when a zone last changed hands without reading its other changes', async () => {
  const plans = await plansOf((db) => historyReads(readsOver(db)).lastHandover(zone.id));
  expect(plans.flat().map((step) => step['Index Name'])).toContain('zone_changes_handed_over');
});

it('asks whether a zone has a protected recordset by an index that has no others', async () => {
  const plans = await plansOf(async () => {
    expect(await recordsetWrites(tx).findProtected(zone.id)).toBeUndefined();
  });
  const used = plans.flat().map((step) => step['Index Name']);
  expect(used.filter((index) => index !== undefined)).toEqual(['recordsets_protected']);
});

it('finds expired recordsets, of all zones and of one, by indexes that have no others', async () => {
  const plans = await plansOf(async (db) => {
    await findExpired(db, '2001-01-01', undefined);
    await findExpiredIn(db, zone.id, '2001-01-01', 10);
  });
  const used = plans.flat().map((step) => step['Index Name']);
  expect(used.filter((index) => index !== undefined)).toEqual([
    'recordsets_expiring',
    'recordsets_expiring_of_zone',
  ]);
});

it('reads the patterns that are newer than a revision, and no others', async () => {
  const plans = await plansOf(async (db) => {
    for await (const rows of blacklistReads(readsOver(db)).added(PATTERNS - 3, PATTERNS))
      expect(rows).toHaveLength(3);
  });
  expect(plans.length).toBeGreaterThan(0);
  expect(atLength(plans)).toEqual([]);
});

it('reads the entries that matched by their numbers, and asks for those that have expired, without looking at others', async () => {
  const plans = await plansOf(async (db) => {
    const reads = blacklistReads(readsOver(db));
    expect(await reads.rules([PATTERNS, 2, PATTERNS + 1], { name: NAMED, projectId: 'shop' })).toHaveLength(
      2,
    );
    expect(await reads.hasExpired('2030-01-31T12:00:00.000000')).toBe(false);
  });
  expect(plans).toHaveLength(2);
  // What is matched is sorted: it is as much as was asked for.
  expect(atLength(plans).filter((step) => !/^(Sort|Function Scan)/.test(step))).toEqual([]);
});

it.each<[string, (db: Kysely<Schema>) => Promise<unknown>]>([
  [
    'transfer requests',
    (db) => transferReads(readsOver(db)).requests.list(usual as TransferQuery, everywhere, 'asker'),
  ],
  [
    'transfer accepts',
    (db) => transferReads(readsOver(db)).accepts.list(usual as TransferQuery, everywhere, 'asker'),
  ],
])('has an index in the order of the list of all %s', async (_, work) => {
  // There are never many of them: the index is offered, not taken.
  await client.query('set enable_seqscan = off');
  const plans = await plansOf(work);
  await client.query('reset enable_seqscan');
  expect(plans.flat().map((step) => step['Node Type'])).not.toContain('Sort');
});

it('finds the TLD of a name by index, whatever their number', async () => {
  for (const name of ['one.t5.', 'a.b.c.d.e.f.example.']) {
    const [plan] = await plansOf(() => tldWrites(tx, () => {}).verdictsOn([canonicalName<Fqdn>(name)]));
    const used = plan!.map((step) => step['Index Name']).filter((index) => index !== undefined);
    // Whether there are TLDs at all is asked of any row.
    expect([name, used]).toEqual([name, ['tlds_name_key']]);
  }
});
