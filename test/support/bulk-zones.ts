/** Very many zones with their SOA and NS, written by few statements. */
import { DEFAULT_POOL_ID } from '../../src/model/pools/pool.ts';
import { inStoreOf, isOnPostgres } from './store.ts';

const ZONES_OF_A_PROJECT = 100;
export const BULK_SERIAL = 1_700_000_000;
/** Rows of one statement. */
const BATCH = 100_000;

/** SQL of one database, by the number `i` of a zone. */
interface Dialect {
  numbers(from: number, to: number): string;
  /** A number in digits, with zeros before it. */
  padded(expression: string, digits: number): string;
  /** A UUID that begins with the number; the digit makes one of several. */
  id(digit: number): string;
}

const SQLITE: Dialect = {
  numbers: (from, to) =>
    `(with recursive counted (i) as (select ${from} union all select i + 1 from counted where i < ${to - 1}) select i from counted)`,
  padded: (expression, digits) => `printf('%0${digits}d', ${expression})`,
  id: (digit) => `printf('%08x-0000-4000-8000-%011x${digit}', i, i)`,
};

const POSTGRES: Dialect = {
  numbers: (from, to) => `(select i from generate_series(${from}, ${to - 1}) as counted (i))`,
  padded: (expression, digits) => `lpad((${expression})::text, ${digits}, '0')`,
  id: (digit) => `lpad(to_hex(i), 8, '0') || '-0000-4000-8000-' || lpad(to_hex(i), 11, '0') || '${digit}'`,
};

export const bulkName = (number: number): string => `bulk${String(number).padStart(7, '0')}.example.`;
export const bulkProject = (number: number): string =>
  `bulk-${String(Math.floor(number / ZONES_OF_A_PROJECT)).padStart(5, '0')}`;

interface Wanted {
  /** Whether servers have all of them. */
  readonly isPublished?: boolean;
  /** Whether they are also members of the pool's catalog. */
  readonly isInCatalog?: boolean;
  /** Whether they have their SOA and NS. */
  readonly hasApex?: boolean;
  /** Their only name server. */
  readonly nameServer?: string;
  readonly zonesOfProject?: number;
}

function statementsFor(sql: Dialect, from: number, to: number, wanted: Wanted): readonly string[] {
  const { isPublished = false, isInCatalog = false, hasApex = true } = wanted;
  const { nameServer = 'ns1.invalid.', zonesOfProject = ZONES_OF_A_PROJECT } = wanted;
  const name = `'bulk' || ${sql.padded('i', 7)} || '.example.'`;
  const key = `'example!bulk' || ${sql.padded('i', 7)}`;
  const project = `'bulk-' || ${sql.padded(`i / ${zonesOfProject}`, 5)}`;
  const time = `'2026-01-01T00:' || ${sql.padded('i / 1000000', 2)} || ':00.' || ${sql.padded('i % 1000000', 6)}`;
  const rows = `from ${sql.numbers(from, to)} as numbers`;
  const refresh = `' || (3500 + i % 101) || '`;
  const recordset = (digit: number, type: string, record: string) => `
    insert into recordsets (id, zone_id, project_id, name, subtree_key, type, records, managed, version, created_at, updated_at, serial)
    select ${sql.id(digit)}, ${sql.id(0)}, ${project}, ${name}, ${key}, '${type}', '["${record}"]', 1, 1, ${time}, '', ${BULK_SERIAL} ${rows}`;
  const statements = [
    `insert into zones (id, name, subtree_key, project_id, email, ttl, serial, type, status, action, attributes, version,
      recordsets, records, bytes, created_at, updated_at, transferred_at, pool_id)
    select ${sql.id(0)}, ${name}, ${key}, ${project}, 'a@example.org', 3600, ${BULK_SERIAL}, 'PRIMARY', 'ACTIVE', 'NONE', '{}', 1,
      0, 0, 0, ${time}, '', '', '${DEFAULT_POOL_ID}' ${rows}`,
    ...(hasApex
      ? [
          recordset(1, 'SOA', `${nameServer} a.example.org. ${BULK_SERIAL} ${refresh} 600 86400 3600`),
          recordset(2, 'NS', nameServer),
        ]
      : []),
    `insert into projects (project_id, zones, recordsets) select ${project}, count(*), 0 ${rows} group by 1
      on conflict (project_id) do update set zones = projects.zones + excluded.zones`,
  ];
  if (isPublished) {
    statements.push(`insert into publications (zone_id, pool_id, label, serial, published_serial)
      select ${sql.id(0)}, '${DEFAULT_POOL_ID}', ${isInCatalog ? sql.id(0) : "''"}, ${BULK_SERIAL}, ${BULK_SERIAL} ${rows}`);
  }
  if (isInCatalog) {
    statements.push(
      `insert into catalog_members (label, pool_id, zone_id, name, from_serial, to_serial)
      select ${sql.id(0)}, '${DEFAULT_POOL_ID}', ${sql.id(0)}, ${name}, ${BULK_SERIAL}, 0 ${rows}`,
      `update pools set catalog_serial = ${BULK_SERIAL} where id = '${DEFAULT_POOL_ID}' and catalog_serial < ${BULK_SERIAL}`,
    );
  }
  return statements;
}

/**
 * Adds zones to the store of a data folder.
 * @param first the number of the first of them
 */
export async function addBulkZones(
  dataDir: string,
  count: number,
  { first = 0, ...wanted }: Wanted & { readonly first?: number } = {},
): Promise<void> {
  const dialect = isOnPostgres() ? POSTGRES : SQLITE;
  for (let from = first; from < first + count; from += BATCH) {
    const to = Math.min(from + BATCH, first + count);
    await inStoreOf(dataDir, ...statementsFor(dialect, from, to, wanted));
  }
}
