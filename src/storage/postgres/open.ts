import type { Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { StorageOpenError } from '../storage-open-error.ts';
import { Pool } from './pool.ts';
import type { PostgresSettings } from './settings.ts';
import { readerOver, snapshotsOver, transactionsOver } from './transactions.ts';

const DAY_MS = 86_400_000;

/** The reason at the end of a chain of causes. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? reasonOf(cause) : message;
}

function databaseOver(pool: Pool): Database {
  return {
    reader: readerOver(pool),
    transaction: transactionsOver(pool),
    snapshot: snapshotsOver(pool),
    close: () => pool.close(),
  };
}

/** A migration may take long, and wait long for the one of another process. */
async function migrateWithoutHaste(settings: PostgresSettings): Promise<void> {
  const pool = new Pool({ ...settings, poolSize: 1, statementTimeoutMs: DAY_MS }, DAY_MS);
  await migrate(databaseOver(pool)).finally(() => pool.close());
}

/**
 * Opens a database of PostgreSQL, migrating it where needed.
 * @throws StorageOpenError with one line that says what is wrong
 */
export async function openPostgres(settings: PostgresSettings, lockTimeoutMs: number): Promise<Database> {
  const pool = new Pool(settings, lockTimeoutMs);
  try {
    await migrateWithoutHaste(settings);
    return databaseOver(pool);
  } catch (error) {
    await pool.close();
    if (error instanceof StorageOpenError) throw error;
    throw new StorageOpenError(
      `${pool.place} cannot be used: ${reasonOf(error)}. Check [storage] connection and the server.`,
      { cause: error },
    );
  }
}
