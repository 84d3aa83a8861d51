import type { Kysely } from 'kysely';
import { DomainError } from '../../model/errors.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { reasonOf, StorageTaskError } from '../database/storage-errors.ts';
import type { StorageSettings } from '../open.ts';
import { compareTable } from './differences.ts';
import { type End, openOriginal, openTarget } from './ends.ts';
import type { Table } from './keys.ts';
import { addRows, type CopiedRow, countRows, type Key, keyOf, PAGE, removeRows, TABLES } from './tables.ts';
import { begin, finish } from './target.ts';

/** Maximum number of rounds: the original may have changed since its rows were copied, or while they were. */
const MAX_ROUNDS = 2;
/**
 * Number of rows per commit. Keys are random, so each commit writes all over the indexes: larger commits write less
 * in total.
 */
const ROWS_OF_A_COMMIT = 5000;

/** Receives progress. */
export interface CopyProgress {
  begin(verb: 'copying' | 'verifying', rows: number): void;
  advance(rows: number): void;
}

/** The number of rows per table if both are equal, or the first difference. */
export type CopyResult =
  | { readonly kind: 'copied'; readonly rows: Readonly<Record<Table, number>> }
  | { readonly kind: 'differs'; readonly table: Table; readonly key: Key };

/** Removes rows that the original lacks, because they may conflict with rows to add. */
async function prune(table: Table, original: Kysely<Schema>, copy: Database): Promise<void> {
  let keys: Key[] = [];
  const remove = async () => {
    const some = keys;
    keys = [];
    if (some.length > 0) await copy.transaction(({ now }) => removeRows(now, table, some));
  };
  for await (const { outcome, key } of compareTable(table, original, copy.reader, true)) {
    if (outcome === 'extra' || outcome === 'other') keys.push(key);
    if (keys.length === PAGE) await remove();
  }
  await remove();
}

/** Explains in one line which rows the other database rejects. */
function explainRows(error: unknown, table: Table, rows: readonly CopiedRow[]): unknown {
  if (error instanceof DomainError) return error;
  const [first, last] = [rows[0]!, rows.at(-1)!].map((row) => JSON.stringify(keyOf(table, row)));
  return new StorageTaskError(
    `The rows of ${table} from ${first} to ${last} cannot be copied: ${(error as Error).message}. "zonewarden verify" may show the reason.`,
    { cause: error },
  );
}

/** Adds the rows that the copy lacks, many per transaction: the rows themselves record the progress. */
async function fill(
  table: Table,
  original: Kysely<Schema>,
  copy: Database,
  progress: CopyProgress,
): Promise<void> {
  let rows: CopiedRow[] = [];
  const add = async () => {
    const some = rows;
    rows = [];
    if (some.length === 0) return;
    await copy
      .transaction(({ now }) => addRows(now, table, some))
      .catch((error: unknown) => {
        throw explainRows(error, table, some);
      });
  };
  for await (const { outcome, row } of compareTable(table, original, copy.reader)) {
    if (outcome === 'missing') rows.push(row);
    if (rows.length === ROWS_OF_A_COMMIT) await add();
    progress.advance(1);
  }
  await add();
}

async function beginWith(
  verb: 'copying' | 'verifying',
  original: Kysely<Schema>,
  progress: CopyProgress,
): Promise<void> {
  let total = 0;
  for (const table of TABLES) total += await countRows(original, table);
  progress.begin(verb, total);
}

/** Compares every row of every table. */
async function compare(
  original: Kysely<Schema>,
  copy: Database,
  progress: CopyProgress,
): Promise<CopyResult> {
  const rows = Object.fromEntries(TABLES.map((table) => [table, 0])) as Record<Table, number>;
  await beginWith('verifying', original, progress);
  for (const table of TABLES) {
    for await (const { outcome, key } of compareTable(table, original, copy.reader)) {
      if (outcome !== 'same') return { kind: 'differs', table, key };
      rows[table] += 1;
      progress.advance(1);
    }
  }
  return { kind: 'copied', rows };
}

/** One round: makes the copy equal to the original, and compares the two. */
async function copyOnce(original: End, { database }: End, progress: CopyProgress): Promise<CopyResult> {
  await original.read(async (db) => {
    await beginWith('copying', db, progress);
    for (const table of TABLES) {
      await prune(table, db, database);
      await fill(table, db, database, progress);
    }
  });
  // A new snapshot, to detect changes of the original since then.
  return original.read(async (db) => {
    const result = await compare(db, database, progress);
    if (result.kind === 'copied') await finish(database);
    return result;
  });
}

async function copyBetween(original: End, copy: End, progress: CopyProgress): Promise<CopyResult> {
  await begin(copy.database, original.place, copy.place);
  for (let round = 1; ; round++) {
    const result = await copyOnce(original, copy, progress);
    if (result.kind === 'copied' || round === MAX_ROUNDS) return result;
  }
}

/** Explains a failure of either database. The copy can be continued. */
function explain(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  return new StorageTaskError(
    `The copy stopped: ${reasonOf(error)}. Run the same command again to continue.`,
    { cause: error },
  );
}

/**
 * Copies a store to another place, or continues an unfinished copy there, and finally compares everything. Until then
 * the place cannot be opened as a store.
 * @throws StorageTaskError or StorageOpenError with a one-line message
 */
export async function copyStore(
  from: StorageSettings,
  to: StorageSettings,
  progress: CopyProgress,
): Promise<CopyResult> {
  const original = await openOriginal(from);
  try {
    const copy = await openTarget(to, original);
    return await copyBetween(original, copy, progress).finally(() => copy.close());
  } catch (error) {
    throw explain(error);
  } finally {
    await original.close();
  }
}
