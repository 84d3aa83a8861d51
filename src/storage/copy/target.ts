import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { dialectOf } from '../database/dialect.ts';
import { StorageTaskError } from '../database/storage-errors.ts';
import { isUnfinishedCopy, migrate, NEWEST, UNFINISHED_COPY } from '../migrate.ts';
import { countRows, TABLES } from './tables.ts';

/** A table that only an unfinished copy has, with one row: the location of its original. */
const OF_WHAT = 'unfinished_copy';
/** Tables to which migrations add rows. */
const NEVER_EMPTY = ['blacklist_revision', 'name_gates', 'pools', 'event_head'];

/** Migrates the target of a copy, unless it holds an unfinished copy. */
export async function prepareTarget(database: Database): Promise<void> {
  if (!(await isUnfinishedCopy(database))) await migrate(database);
}

/** @throws StorageTaskError if the database's schema version is not the one that this program creates */
export async function requireOwnVersion({ reader }: Database, place: string): Promise<void> {
  const { version } = await reader.selectFrom('schema_version').selectAll().executeTakeFirstOrThrow();
  if (version === NEWEST.version) return;
  throw new StorageTaskError(
    `${place} has schema version ${version}, but this zonewarden copies only version ${NEWEST.version}. Use the zonewarden of that version.`,
  );
}

async function requireSameOriginal({ reader }: Database, original: string, place: string): Promise<void> {
  const { rows } = await sql<{ original: string }>`select original from ${sql.table(OF_WHAT)}`.execute(
    reader,
  );
  if (rows[0]?.original === original) return;
  throw new StorageTaskError(
    `${place} contains an unfinished copy of ${rows[0]?.original}. Finish that copy, or empty ${place} and start again.`,
  );
}

/**
 * Marks a database as an unfinished copy, if it is not one yet: no program opens it as a store until `finish`.
 * @throws StorageTaskError if it is a copy of something else, or is not empty
 */
export async function begin(database: Database, original: string, place: string): Promise<void> {
  if (await isUnfinishedCopy(database)) {
    return requireSameOriginal(database, original, place);
  }
  await database.transaction(async ({ now }) => {
    // A concurrent copy to the same target waits here.
    await now.updateTable('schema_version').set({ oldest_reader: UNFINISHED_COPY }).execute();
    for (const table of TABLES.filter((one) => !NEVER_EMPTY.includes(one))) {
      if ((await countRows(now, table)) === 0) continue;
      throw new StorageTaskError(`${place} is not empty. Name a new folder, or an empty database.`);
    }
    await now.schema.createTable(OF_WHAT).addColumn('original', dialectOf(now).text).execute();
    await sql`insert into ${sql.table(OF_WHAT)} (original) values (${original})`.execute(now);
  });
}

/** Turns a complete copy into a store. */
export async function finish(database: Database): Promise<void> {
  await database.transaction(async ({ now }) => {
    await now.schema.dropTable(OF_WHAT).execute();
    await now.updateTable('schema_version').set({ oldest_reader: NEWEST.oldestReader }).execute();
  });
}
