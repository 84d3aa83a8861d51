import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { StorageOpenError } from '../database/storage-errors.ts';
import { isBusy } from './errors.ts';

/** Anyone who can open the file can hold the lock. */
const OWNER_ONLY = 0o600;

/**
 * Acquires the lock of a data folder for the life of the process; the kernel releases it however the process ends.
 * The lock is on a separate file, `service.lock`, so that commands can use the database beside the service. Node has
 * no file locks: the SQLite library takes the lock, on a database that is never written.
 * @returns the function that releases the lock
 * @throws StorageOpenError if another service holds it
 */
export function lockDataDir(dataDir: string): () => void {
  const file = join(dataDir, 'service.lock');
  try {
    closeSync(openSync(file, 'a', OWNER_ONLY));
    const lock = new DatabaseSync(file, { timeout: 0 });
    try {
      lock.exec('begin exclusive');
    } catch (error) {
      lock.close();
      throw error;
    }
    return () => lock.close();
  } catch (error) {
    throw new StorageOpenError(
      isBusy(error)
        ? `Another zonewarden process is serving from ${dataDir} or copying it. Stop it, or use a different folder.`
        : `The lock ${file} cannot be acquired: ${(error as Error).message}. Check the folder and its permissions.`,
      { cause: error },
    );
  }
}
