import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type MetricsRecorder, NO_METRICS } from '../model/metrics/metrics-recorder.ts';
import type { Store } from '../model/store.ts';
import type { Log } from '../runtime/log.ts';
import { StorageOpenError } from './database/storage-errors.ts';
import { migrate, migrateExisting } from './migrate.ts';
import type { PostgresSettings } from './postgres/settings.ts';
import { DATABASE_FILE, openSqlite, requireFile } from './sqlite/open.ts';
import { storeOver } from './store.ts';

const OWNER_ONLY = 0o700;
const BITS_OF_OTHERS = 0o077;
const SILENT: Pick<Log, 'info' | 'error'> = { info() {}, error() {} };

export interface StorageSettings {
  readonly dataDir: string;
  /** How long a write waits for another process, in milliseconds. */
  readonly busyTimeoutMs: number;
  /** The time limit of one statement of a long read, in milliseconds. */
  readonly readTimeoutMs: number;
  /** Set if the store is in PostgreSQL instead of the data folder. */
  readonly postgres?: PostgresSettings | undefined;
}

/** Loads the driver only when it is needed. */
const postgresStore = () => import('./postgres/open.ts');

/**
 * Creates the data folder if it is missing, with access only for its owner.
 * @throws StorageOpenError
 */
export function ensureDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
  } catch (error) {
    throw new StorageOpenError(
      `The data folder ${dataDir} cannot be created: ${(error as Error).message}. Check data_dir and its permissions.`,
    );
  }
}

/** The paths that users other than the owner can access: the data folder or its database. */
export function openToOthers(dataDir: string): readonly string[] {
  return [dataDir, join(dataDir, DATABASE_FILE)].filter(
    (path) => existsSync(path) && (statSync(path).mode & BITS_OF_OTHERS) !== 0,
  );
}

/**
 * Opens an existing store, and migrates it if needed.
 * @throws StorageOpenError with a one-line message, also if there is no store
 */
export async function openExistingStore(settings: StorageSettings): Promise<Store> {
  const { postgres, busyTimeoutMs } = settings;
  if (postgres !== undefined) {
    const { openPostgres } = await postgresStore();
    return storeOver(await openPostgres(postgres, busyTimeoutMs, migrateExisting));
  }
  requireFile(settings.dataDir);
  return storeOver(await openSqlite(settings, undefined, migrateExisting));
}

/**
 * Opens the store, and creates or migrates it if needed.
 * @param isService also checks an embedded database, refuses one that is corrupt or not writable, and runs long reads in threads; does
 * not wait for a server, because the service does so with `untilReached`
 * @param log gets the result of a check that runs in the background
 * @throws StorageOpenError with a one-line message
 */
export async function openStore(
  settings: StorageSettings,
  isService = false,
  meter: MetricsRecorder = NO_METRICS,
  log: Pick<Log, 'info' | 'error'> = SILENT,
): Promise<Store> {
  const { postgres, busyTimeoutMs } = settings;
  if (postgres !== undefined) {
    const { openPostgres } = await postgresStore();
    const settings = isService ? { ...postgres, startTimeoutMs: 0 } : postgres;
    return storeOver(await openPostgres(settings, busyTimeoutMs, migrate, meter), meter);
  }
  ensureDataDir(settings.dataDir);
  return storeOver(await openSqlite(settings, isService ? { log } : undefined, migrate, meter), meter);
}
