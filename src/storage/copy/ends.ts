import { realpathSync } from 'node:fs';
import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { StorageTaskError } from '../database/storage-errors.ts';
import { migrateExisting, type Prepare } from '../migrate.ts';
import { ensureDataDir, type StorageSettings } from '../open.ts';
import { type PostgresSettings, parseConnection } from '../postgres/settings.ts';
import { lockDataDir } from '../sqlite/data-dir-lock.ts';
import { openSqlite, requireFile } from '../sqlite/open.ts';
import { prepareTarget, requireOwnVersion } from './target.ts';

const DAY_MS = 86_400_000;

/** The source or the target of a copy. */
export interface End {
  readonly database: Database;
  /** Its location, without secrets. */
  readonly place: string;
  /** Runs reads in one snapshot; an embedded store cannot be changed until they end. */
  read<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The location of a store, without secrets. A store under the same name always gives the same text. */
export function placeOf({ dataDir, postgres }: StorageSettings): string {
  if (postgres === undefined) return realpathSync(dataDir);
  const servers = parseConnection(postgres.connection);
  const [{ database = '' }] = servers as [(typeof servers)[number]];
  return `postgresql://${servers.map(({ host, port }) => `${host}:${port}`).join(',')}/${database}`;
}

async function postgresEnd(settings: PostgresSettings, busyTimeoutMs: number, prepare: Prepare) {
  // One connection holds the snapshot; counting a large table takes longer than any statement of a request.
  const patient = { ...settings, poolSize: 2, statementTimeoutMs: DAY_MS };
  const { openPostgres } = await import('../postgres/open.ts');
  const database = await openPostgres(patient, busyTimeoutMs, prepare);
  return { database, read: database.snapshot, close: () => database.close() };
}

/** Holds the lock of the data folder, so that no service runs on it. */
async function embeddedEnd(settings: StorageSettings, prepare: Prepare) {
  const unlock = lockDataDir(settings.dataDir);
  try {
    const database = await openSqlite(settings, undefined, prepare);
    return {
      database,
      read: <T>(work: (db: Kysely<Schema>) => Promise<T>) =>
        // The transaction writes nothing: it only blocks writes by commands.
        database.transaction(() => database.snapshot(work)),
      close: () => database.close().finally(unlock),
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openEnd(settings: StorageSettings, prepare: Prepare): Promise<End> {
  const { postgres, busyTimeoutMs } = settings;
  const place = placeOf(settings);
  const end =
    postgres === undefined
      ? await embeddedEnd(settings, prepare)
      : await postgresEnd(postgres, busyTimeoutMs, prepare);
  try {
    await requireOwnVersion(end.database, place);
    return { ...end, place };
  } catch (error) {
    await end.close();
    throw error;
  }
}

/** @throws StorageOpenError or StorageTaskError with one line, also if a service runs on the folder */
export async function openOriginal(settings: StorageSettings): Promise<End> {
  if (settings.postgres === undefined) requireFile(settings.dataDir);
  return openEnd(settings, migrateExisting);
}

/**
 * Opens the target; creates it if it is missing.
 * @throws like `openOriginal`, and StorageTaskError if both are the same
 */
export async function openTarget(settings: StorageSettings, original: End): Promise<End> {
  if (settings.postgres === undefined) ensureDataDir(settings.dataDir);
  if (placeOf(settings) === original.place) {
    throw new StorageTaskError(`${original.place} cannot be copied into itself. Name another place.`);
  }
  return openEnd(settings, prepareTarget);
}
