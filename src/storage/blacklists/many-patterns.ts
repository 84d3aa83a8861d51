import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { dialectOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { readPresent } from './changes.ts';
import type { NewBlacklistRow } from './rows.ts';

const BATCH = 1000;
/** The index that sorts patterns. */
const ORDER_OF_PATTERNS = sql.raw('blacklists_pattern_start');

/** An insert of as many rows as the first call has. */
const batchInsert = prepared<readonly NewBlacklistRow[]>((db, slot, first) => {
  const columns = Object.keys(first[0]!) as (keyof NewBlacklistRow)[];
  const rows = first.map((_, place) =>
    Object.fromEntries(columns.map((column) => [column, slot((all) => all[place]![column])])),
  );
  return db
    .insertInto('blacklists')
    .values(rows as never)
    .onConflict((conflict) => conflict.column('pattern_hash').doNothing());
});

/** Stores the rows whose patterns are new. */
export function insertOf(db: Kysely<Schema>, rows: readonly NewBlacklistRow[]): CompiledQuery {
  if (rows.length === BATCH) return batchInsert(db, rows);
  const insert = db.insertInto('blacklists').values(rows);
  return insert.onConflict((conflict) => conflict.column('pattern_hash').doNothing()).compile();
}

/** Runs the work that inserts `count` entries. */
export async function inBulk<T>(db: Kysely<Schema>, count: number, work: () => Promise<T>): Promise<T> {
  const { bulk, remakesIndexes } = dialectOf(db);
  // Patterns arrive in random order: sorting all of them once is faster than finding the place of each.
  const isMost = remakesIndexes && count > (await readPresent(db)).revision;
  await bulk?.begin.execute(db);
  try {
    if (isMost) await sql`drop index ${ORDER_OF_PATTERNS}`.execute(db);
    const result = await work();
    if (isMost) await sql`create index ${ORDER_OF_PATTERNS} on blacklists (pattern_start, id)`.execute(db);
    return result;
  } finally {
    await bulk?.end.execute(db);
  }
}
