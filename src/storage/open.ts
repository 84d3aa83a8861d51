import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../domain/store.ts';
import { migrateExisting } from './migrate.ts';
import { openPostgres } from './postgres/open.ts';
import type { PostgresSettings } from './postgres/settings.ts';
import { DATABASE_FILE, openSqlite, requireFile } from './sqlite/open.ts';
import { StorageOpenError } from './storage-open-error.ts';
import { storeOver } from './store.ts';

const OWNER_ONLY = 0o700;
const BITS_OF_OTHERS = 0o077;

export interface StorageSettings {
  readonly dataDir: string;
  /** How long a write waits for another process, in milliseconds. */
  readonly busyTimeoutMs: number;
  /** Where it is not the embedded database in the data folder. */
  readonly postgres?: PostgresSettings | undefined;
}

/** Makes the data folder, readable by its owner alone, where it is missing. */
export function ensureDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
  } catch (error) {
    throw new StorageOpenError(
      `The data folder ${dataDir} cannot be made: ${(error as Error).message}. Check data_dir and its permissions.`,
    );
  }
}

/** What of the data folder others than its owner have access to: the folder itself or its database. */
export function openToOthers(dataDir: string): readonly string[] {
  return [dataDir, join(dataDir, DATABASE_FILE)].filter(
    (path) => existsSync(path) && (statSync(path).mode & BITS_OF_OTHERS) !== 0,
  );
}

/**
 * Opens a store that is there, migrating it where needed.
 * @throws StorageOpenError with one line that says what is wrong, also where there is no store
 */
export async function openExistingStore(settings: StorageSettings): Promise<Store> {
  const { postgres, busyTimeoutMs } = settings;
  if (postgres !== undefined) return storeOver(await openPostgres(postgres, busyTimeoutMs, migrateExisting));
  requireFile(settings.dataDir);
  return storeOver(await openSqlite(settings, false, migrateExisting));
}

/**
 * Opens the store, making and migrating it where needed.
 * @param isService also refuses a store that is corrupt or cannot be written, before anything is answered from it
 * @throws StorageOpenError with one line that says what is wrong
 */
export async function openStore(settings: StorageSettings, isService = false): Promise<Store> {
  const { postgres, busyTimeoutMs } = settings;
  if (postgres !== undefined) return storeOver(await openPostgres(postgres, busyTimeoutMs));
  ensureDataDir(settings.dataDir);
  return storeOver(await openSqlite(settings, isService));
}
