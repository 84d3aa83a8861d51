import { defineConfig } from 'vitest/config';
import { findPostgres } from './test/support/postgres/binaries.ts';

/** Tests of what the file of the embedded database can suffer, and of how it is used. */
const OF_SQLITE = 'test/storage/sqlite/**';

const shared = { testTimeout: 120_000, hookTimeout: 60_000, pool: 'forks' as const };
const elsewhere = ['test/clients/**', 'node_modules/**'];

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
    include: ['test/{api,cli,process,storage,support/postgres}/**/*.test.ts'],
    exclude: [...elsewhere, OF_SQLITE],
    globalSetup: 'test/support/postgres/run-server.ts',
    setupFiles: 'test/support/postgres/on-postgres.ts',
  },
};

const hasServer = findPostgres() !== undefined;
if (!hasServer) {
  console.log('No PostgreSQL server is installed here: the tests run on the embedded database alone.');
}

export default defineConfig({ test: { projects: hasServer ? [sqlite, postgresql] : [sqlite] } });
