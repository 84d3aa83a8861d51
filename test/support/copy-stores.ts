import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { openStore } from '../../src/storage/open.ts';
import { storeOptions } from './store.ts';

/** How `db copy` names the store that the tests of this run give a folder: the folder, or a database of its own. */
export function placeOf(folder: string): string {
  return storeOptions(folder).ZONEWARDEN_STORAGE__CONNECTION ?? folder;
}

/** Works on the database of an embedded store behind the product's back. */
export function inDatabase<T>(folder: string, work: (database: DatabaseSyncInstance) => T): T {
  const database = new DatabaseSync(join(folder, 'zonewarden.db'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
}

/** Each database has its own. */
const NOT_COPIED = [
  'schema_version',
  'service_statuses',
  'leases',
  'project_usage',
  'usage_passes',
  'previews',
  'preview_zones',
];
/** The embedded database indexes the names of a copy anew. */
const OF_NAME_SEARCH = /^zone_(?:names|search)/;

/** The tables of a store that are copied, as its database knows them. */
export function tablesIn(database: DatabaseSyncInstance): readonly string[] {
  const rows = database.prepare("select name from sqlite_master where type = 'table'").all();
  return (rows as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => !NOT_COPIED.includes(name) && !OF_NAME_SEARCH.test(name));
}

function columnsOf(database: DatabaseSyncInstance, table: string): readonly Column[] {
  return (database.prepare(`pragma table_info(${table})`).all() as Column[]).map((one) => ({
    ...one,
    type: one.type.toLowerCase(),
  }));
}

const TEXTS = [
  '',
  'plain',
  "'; drop table zones; --",
  'back\\slash "quoted" $1 ? \t\r\n',
  // In UTF-16 the first of these two sorts before the second, in UTF-8 after it.
  '\u{1F600}',
  '\uFFFD\uFFFF',
  'e\u0301 \u00E9 \u202E \u{10FFFF}',
  '\u0001\u007F\u0085\u2028',
];
const GREATEST = { integer: 2 ** 31 - 1, bigint: Number.MAX_SAFE_INTEGER };

/** Something that a column can hold, different in every row. */
function sampleOf({ type, notnull }: Column, row: number): string | number | null {
  if (notnull === 0 && row % 3 === 0) return null;
  if (type === 'text') return `${TEXTS[row % TEXTS.length]}${row}`;
  return row % 2 === 0 ? row : GREATEST[type as keyof typeof GREATEST] - row;
}

/** Makes an embedded store whose tables, all there are, hold as many rows each, of everything that they can hold. */
export async function makeFullStore(folder: string, rows: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await (await openStore({ dataDir: folder, busyTimeoutMs: 1000, readTimeoutMs: 5000 })).close();
  inDatabase(folder, (database) => {
    database.exec(`begin; update blacklist_revision set revision = ${Number.MAX_SAFE_INTEGER}`);
    for (const table of tablesIn(database)) {
      const columns = columnsOf(database, table);
      const hasRows = database.prepare(`select 1 from ${table} limit 1`).all().length > 0;
      if (hasRows) continue;
      // A key that is text has no row without one.
      const values = columns.map((column, index) => (index === 0 ? { ...column, notnull: 1 } : column));
      const insert = database.prepare(`insert into ${table} values (${columns.map(() => '?').join(', ')})`);
      for (let row = 0; row < rows; row++) insert.run(...values.map((column) => sampleOf(column, row)));
    }
    database.exec('commit');
  });
}

/** All that an embedded store holds, to the byte, a table each. */
export function dump(folder: string): Readonly<Record<string, string>> {
  return inDatabase(folder, (database) => {
    const contents = tablesIn(database).map((table) => {
      const exact = columnsOf(database, table).map(({ name }) => `typeof("${name}") || quote("${name}")`);
      const rows = database.prepare(`select ${exact.join(" || ' ' || ")} as row from ${table} order by 1`);
      return [table, (rows.all() as { row: string }[]).map(({ row }) => row).join('\n')];
    });
    return Object.fromEntries(contents);
  });
}
