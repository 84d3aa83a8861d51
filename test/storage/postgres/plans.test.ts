/** How PostgreSQL goes about the queries of the store, once a statement has been prepared and used for a while. */
import type { CompiledQuery, Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canonicalName, type Fqdn } from '../../../src/dns/names.ts';
import type { RecordsetQuery } from '../../../src/model/recordsets/recordset.ts';
import type { TransferQuery } from '../../../src/model/transfers/transfer.ts';
import type { Zone, ZoneQuery } from '../../../src/model/zones/zone.ts';
import { blacklistReads } from '../../../src/storage/blacklists/blacklists.ts';
import type { OpenTransaction } from '../../../src/storage/database/database.ts';
import { statementsOver } from '../../../src/storage/database/kysely-over.ts';
import type { Schema } from '../../../src/storage/database/schema.ts';
import { openStore } from '../../../src/storage/open.ts';
import { recordsetReads } from '../../../src/storage/recordsets/recordsets.ts';
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
  'analyze',
];

beforeAll(async () => {
  const settings = storeSettings(folder.path);
  await (await openStore(settings)).close();
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
    expect(await reads.rules([PATTERNS, 2, PATTERNS + 1])).toHaveLength(2);
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
