import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { MEMORY_FOLDER } from '../memory-folder.ts';
import { makeStoreOf, TEMPLATE_DATABASE } from '../store.ts';
import { makeClusterTemplate, type PostgresServer, startPostgres } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The connection string of the server, for a role that may make databases. */
    postgres: string;
  }
}

/** Makes the database that stores of the tests are copied from. */
async function makeTemplateDatabase(server: PostgresServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query(`create database ${TEMPLATE_DATABASE}`);
  await client.end();
  await makeStoreOf({ ZONEWARDEN_STORAGE__CONNECTION: server.url(TEMPLATE_DATABASE) });
}

/**
 * Starts the one server of a test run. What the tests end is processes, never the machine, and what the kernel has been
 * given survives that: fsync would guard against nothing here, and takes most of the time of a small transaction on a
 * disk that others use too. Commits are as synchronous as ever. Tests that kill the server start one of their own.
 */
export default async function startServer(project: TestProject): Promise<() => Promise<void>> {
  if (MEMORY_FOLDER !== undefined) process.env.TMPDIR = MEMORY_FOLDER;
  const template = await makeClusterTemplate();
  process.env.TEST_POSTGRES_TEMPLATE = template.folder;
  const server = await startPostgres({
    settings: { fsync: 'off', full_page_writes: 'off', wal_init_zero: 'off', max_connections: 500 },
    asksNoPassword: true,
  });
  await makeTemplateDatabase(server);
  project.provide('postgres', server.url('postgres'));
  return async () => {
    delete process.env.TEST_POSTGRES_TEMPLATE;
    await Promise.all([server.remove(), template.remove()]);
  };
}
