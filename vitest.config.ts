import { accessSync, constants, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { findPooler, findPostgres } from './test/support/postgres/binaries.ts';

/** Tests of what the file of the embedded database can suffer, and of how it is used. */
const OF_SQLITE = 'test/storage/sqlite/**';
/** Tests to which it makes no difference where the store is. */
const OF_NO_STORE = ['test/cli/usage.test.ts', 'test/cli/config.test.ts', 'test/process/log-level.test.ts'];

/**
 * A few processes, each of which reads the program once and goes through file after file: every file has services, folders
 * and databases of its own, and shares nothing with another but the code.
 */
const shared = {
  testTimeout: 120_000,
  hookTimeout: 60_000,
  pool: 'forks' as const,
  // One more than there are cores: some test is always waiting for a time-out, or for a process to end.
  maxWorkers: availableParallelism() + 1,
  isolate: false,
};
const elsewhere = [
  'test/clients/**',
  'test/console/**',
  'test/keystone/**',
  'test/designate/**',
  'test/name-servers/**',
  'test/tempest/**',
  'node_modules/**',
];

const pooler = findPooler();
const ofNoPooler = pooler === undefined ? ['test/storage/postgres/pgbouncer*.test.ts'] : [];

/** Everything, on the embedded database. */
const sqlite = {
  test: {
    ...shared,
    name: 'sqlite',
    include: ['test/**/*.test.ts'],
    exclude: [...elsewhere, 'test/support/postgres/**', 'test/storage/postgres/**'],
  },
};

/** Whatever has a store, once more. */
const postgresql = {
  test: {
    ...shared,
    name: 'postgresql',
    include: ['test/{api,cli,process,publisher/worker,storage,support/postgres}/**/*.test.ts'],
    exclude: [...elsewhere, OF_SQLITE, ...OF_NO_STORE, ...ofNoPooler],
    globalSetup: 'test/support/postgres/run-server.ts',
    setupFiles: 'test/support/postgres/on-postgres.ts',
  },
};

/** Where the machine keeps files in memory. */
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;

/** Whether data folders find room in memory: what the tests end is processes, never the machine. */
function hasRoomInMemory(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
if (process.env.TMPDIR === undefined && hasRoomInMemory()) process.env.TMPDIR = IN_MEMORY;

const hasServer = findPostgres() !== undefined;
if (!hasServer) {
  console.log('No PostgreSQL server is installed here: the tests run on the embedded database alone.');
}
if (hasServer && pooler === undefined) {
  console.log('No PgBouncer is installed here: nothing is tried behind it.');
}
if (pooler?.knowsPreparedStatements === false) {
  console.log(
    'PgBouncer is older than 1.21: prepared statements behind it are not tried. PGBOUNCER names another one.',
  );
}

export default defineConfig({ test: { projects: hasServer ? [sqlite, postgresql] : [sqlite] } });
