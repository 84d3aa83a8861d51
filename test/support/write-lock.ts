import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { isOnPostgres, storeSettings } from './store.ts';

const DEADLOCK = '40P01';

/** Options of a service that waits for the write lock, or for its turn, however slow the machine is. */
export const PATIENT = {
  ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '3600',
  ZONEWARDEN_STORAGE__STATEMENT_TIMEOUT: '3600',
  ZONEWARDEN_STORAGE__POOL_TIMEOUT: '3600',
  ZONEWARDEN_STORAGE__READ_TIMEOUT: '3600',
};

/** Another process that keeps everybody from writing. */
export interface WriteLock {
  release(): Promise<void>;
}

async function lockFile(file: string): Promise<WriteLock> {
  const script = `
    import { DatabaseSync } from '@photostructure/sqlite';
    // Another write may be in progress.
    const database = new DatabaseSync(process.argv[1], { timeout: 100_000 });
    database.exec('begin immediate');
    console.log('locked');
    process.stdin.resume().on('end', () => {
      database.exec('rollback');
      database.close();
      process.exit(0);
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, file]);
  await once(child.stdout, 'data');
  return {
    async release() {
      const end = once(child, 'exit');
      child.stdin.end();
      await end;
    },
  };
}

async function lockTables(connection: string, except: readonly string[]): Promise<WriteLock> {
  const client = new pg.Client({ connectionString: connection });
  await client.connect();
  const { rows } = await client.query(`select tablename from pg_tables where schemaname = 'public'`);
  const names = rows.map(({ tablename }) => tablename as string);
  const tables = names.filter((name) => !except.includes(name)).join(', ');
  for (;;) {
    try {
      await client.query('begin');
      await client.query(`lock table ${tables} in exclusive mode`);
      return { release: () => client.end() };
    } catch (error) {
      // Who writes meanwhile may take the tables in another order.
      if ((error as pg.DatabaseError).code !== DEADLOCK) throw error;
      await client.query('rollback');
    }
  }
}

/**
 * Keeps everybody else from writing to the store of a data folder. What has been committed can be read by everybody.
 * On the embedded database that is its write lock, and held by a process of its own.
 * @param except tables that can be written all the same, where not the whole database is locked
 */
export function holdWriteLock(dataDir: string, except: readonly string[] = []): Promise<WriteLock> {
  return isOnPostgres()
    ? lockTables(storeSettings(dataDir).postgres!.connection, except)
    : lockFile(join(dataDir, 'zonewarden.db'));
}
