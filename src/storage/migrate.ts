import { type Kysely, sql, type Transaction } from 'kysely';
import { StorageOpenError } from './errors.ts';
import { first } from './migrations/0001-first.ts';
import { lists } from './migrations/0002-lists.ts';
import { idempotencyKeys } from './migrations/0004-idempotency-keys.ts';
import type { Schema } from './schema.ts';

interface Migration {
  readonly version: number;
  /** The oldest schema version whose program can still work on the database after this migration. */
  readonly oldestReader: number;
  up(db: Kysely<unknown>): Promise<void>;
}

const MIGRATIONS: readonly Migration[] = [
  { version: 1, oldestReader: 1, up: first },
  { version: 2, oldestReader: 1, up: lists },
  { version: 4, oldestReader: 1, up: idempotencyKeys },
];
const KNOWN = MIGRATIONS.at(-1)!.version;

async function currentVersion(db: Kysely<Schema>) {
  const tables = await db.introspection.getTables();
  if (!tables.some((table) => table.name === 'schema_version')) return undefined;
  return db.selectFrom('schema_version').selectAll().executeTakeFirst();
}

async function layFoundation(tx: Transaction<Schema>): Promise<void> {
  await tx.schema
    .createTable('schema_version')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('oldest_reader', 'integer', (column) => column.notNull())
    .execute();
  await tx.insertInto('schema_version').values({ version: 0, oldest_reader: 0 }).execute();
}

async function migrateFrom(tx: Transaction<Schema>, version: number): Promise<void> {
  for (const migration of MIGRATIONS.filter((one) => one.version > version)) {
    await migration.up(tx as unknown as Kysely<unknown>);
    await tx
      .updateTable('schema_version')
      .set({ version: migration.version, oldest_reader: migration.oldestReader })
      .execute();
  }
}

function requireReadable(found: { version: number; oldest_reader: number } | undefined): void {
  if ((found?.oldest_reader ?? 0) <= KNOWN) return;
  throw new StorageOpenError(
    `The database has schema version ${found?.version}, which needs a newer zonewarden: this one knows version ${KNOWN}. Install the newer version, or restore a backup.`,
  );
}

/**
 * Brings the schema to the version that this program knows, all of it in one transaction. A newer schema is left as
 * it is where it says that this program can still work on it.
 * @throws StorageOpenError when the schema is newer and says that this program cannot read it
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const before = await currentVersion(db);
  requireReadable(before);
  if (before !== undefined && before.version >= KNOWN) return;
  await db.transaction().execute(async (tx) => {
    const found = await currentVersion(tx);
    if (found === undefined) await layFoundation(tx);
    requireReadable(found);
    await migrateFrom(tx, found?.version ?? 0);
  });
}

/** A write that changes nothing, but fails where nothing can be written. */
export async function requireWrites(db: Kysely<Schema>): Promise<void> {
  await db.transaction().execute((tx) => sql`update schema_version set version = version`.execute(tx));
}
