import type { Config } from '../config/options.ts';
import { ensureDataDir } from '../storage/open.ts';
import { lockDataDir } from '../storage/sqlite/data-dir-lock.ts';

/** On PostgreSQL the folder only holds the first admin token, so a process that does not write it needs no folder. */
export function prepareDataDir({ connection, dataDir }: Config): void {
  try {
    ensureDataDir(dataDir);
  } catch (error) {
    if (connection === '') throw error;
  }
}

/** On PostgreSQL several services may share a data folder, so it is not locked. */
export function takeLock(config: Config): () => void {
  return config.connection === '' ? lockDataDir(config.dataDir) : () => {};
}
