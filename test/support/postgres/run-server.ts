import type { TestProject } from 'vitest/node';
import { makeClusterTemplate, startPostgres } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The connection string of the server, for a role that may make databases. */
    postgres: string;
  }
}

/**
 * Starts the one server of a test run. What the tests end is processes, never the machine, and what the kernel has been
 * given survives that: fsync would guard against nothing here, and takes most of the time of a small transaction on a
 * disk that others use too. Commits are as synchronous as ever. Tests that kill the server start one of their own.
 */
export default async function startServer(project: TestProject): Promise<() => Promise<void>> {
  const template = await makeClusterTemplate();
  process.env.TEST_POSTGRES_TEMPLATE = template.folder;
  const server = await startPostgres({
    settings: { fsync: 'off', full_page_writes: 'off', wal_init_zero: 'off', max_connections: 500 },
  });
  project.provide('postgres', server.url('postgres'));
  return async () => {
    delete process.env.TEST_POSTGRES_TEMPLATE;
    await Promise.all([server.remove(), template.remove()]);
  };
}
