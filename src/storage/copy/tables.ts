import { type Kysely, sql } from 'kysely';
import { limitTo } from '../database/limit.ts';
import type { Schema } from '../database/schema.ts';
import { KEYS, type Table } from './keys.ts';

export const TABLES = Object.keys(KEYS) as readonly Table[];

/** Number of rows read or written at a time. */
export const PAGE = 500;

export type Key = string | number;
export type CopiedRow = Readonly<Record<string, unknown>>;

export function keyOf(table: Table, row: CopiedRow): Key {
  return row[KEYS[table]] as Key;
}

/**
 * Compares two keys as both databases do: numbers by value, texts by bytes.
 * @returns a negative number, 0 or a positive number
 */
export function compareKeys(one: Key, other: Key): number {
  if (one === other) return 0;
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

/** All rows of a table in key order, read one page at a time. */
export async function* rowsOf(db: Kysely<Schema>, table: Table): AsyncGenerator<CopiedRow, undefined> {
  const key = sql.ref(KEYS[table]);
  for (let after = sql``; ; ) {
    const page = sql<CopiedRow>`select * from ${sql.table(table)} ${after} order by ${key} ${limitTo(PAGE)}`;
    const { rows } = await page.execute(db);
    yield* rows;
    if (rows.length < PAGE) return undefined;
    after = sql`where ${key} > ${keyOf(table, rows.at(-1)!)}`;
  }
}

export async function countRows(db: Kysely<Schema>, table: Table): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(table)}`.execute(
    db,
  );
  return rows[0]!.total;
}

/** Inserts rows of another database unchanged. */
export async function addRows(db: Kysely<Schema>, table: Table, rows: readonly CopiedRow[]): Promise<void> {
  const any = db as unknown as Kysely<Record<Table, CopiedRow>>;
  for (let start = 0; start < rows.length; start += PAGE) {
    await any
      .insertInto(table)
      .values(rows.slice(start, start + PAGE))
      .execute();
  }
}

export async function removeRows(db: Kysely<Schema>, table: Table, keys: readonly Key[]): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${sql.ref(KEYS[table])} in (${sql.join(keys)})`.execute(db);
}
