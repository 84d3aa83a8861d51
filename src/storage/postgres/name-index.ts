import pg from 'pg';
import type { NameIndex } from '../../model/zones/name-index.ts';
import { INDEX, isComplete } from '../database/name-search-postgres.ts';
import { ConnectionPool } from './pool.ts';
import type { PostgresSettings } from './settings.ts';
import { readerOver } from './transactions.ts';

const DAY_MS = 86_400_000;
/** A process id that no server process has. */
const NO_PROCESS = 0;
/** SQLSTATEs: no right to create the extension, extension not installed, or its schema is not in the search path. */
const UNAVAILABLE_CODES: readonly (string | undefined)[] = ['42501', '0A000', '58P01', '42704'];

/**
 * The `drop` removes the unused index of an interrupted attempt. Writers never wait for these statements, but they
 * search all pending entries of the index, hence the low limit.
 */
const STATEMENTS = [
  'create extension if not exists pg_trgm',
  `drop index concurrently if exists ${INDEX}`,
  `create index concurrently ${INDEX} on zones using gin (name gin_trgm_ops) with (gin_pending_list_limit = 1024)`,
];

/** The name index of a server, which maintains it once it exists. */
export function nameIndexOf(pool: ConnectionPool, settings: PostgresSettings): NameIndex {
  const reader = readerOver(pool);

  /** Uses a separate connection, whose statements have no practical time limit. */
  async function buildIndex(signal: AbortSignal): Promise<void> {
    const dedicatedPool = new ConnectionPool(
      { ...settings, poolSize: 1, statementTimeoutMs: DAY_MS },
      DAY_MS,
    );
    try {
      await dedicatedPool.use(async (session) => {
        let pid = NO_PROCESS;
        // If the server does not respond, disconnect: no time limit would end the statement.
        const cancel = () =>
          void pool
            .use((other) => other.alone(`select pg_cancel_backend(${pid})`))
            .catch(() => session.disconnect());
        signal.addEventListener('abort', cancel);
        try {
          const { rows } = await session.alone('select pg_backend_pid() as pid');
          pid = (rows as unknown as readonly [{ readonly pid: number }])[0].pid;
          for (const statement of STATEMENTS) {
            signal.throwIfAborted();
            await session.alone(statement);
          }
        } finally {
          signal.removeEventListener('abort', cancel);
        }
      });
    } finally {
      await dedicatedPool.close();
    }
  }

  return {
    isBehind: async () => !(await isComplete(reader)),
    async catchUp(signal) {
      try {
        await buildIndex(signal);
      } catch (error) {
        if (signal.aborted) return { more: false };
        if (!(error instanceof pg.DatabaseError) || !UNAVAILABLE_CODES.includes(error.code)) throw error;
        return { more: false, refusal: error.message };
      }
      return { more: false };
    },
  };
}
