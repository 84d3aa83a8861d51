import { ConnectionPool } from './pool.ts';
import type { PostgresSettings } from './settings.ts';

const DAY_MS = 86_400_000;
/** A process id that no server process has. */
const NO_PROCESS = 0;

/**
 * Returns a function that runs statements which create indexes concurrently, so that writers never wait for them. It uses
 * a separate connection, whose statements have no practical time limit.
 */
export function indexBuilder(pool: ConnectionPool, settings: PostgresSettings) {
  return async (statements: readonly string[], signal: AbortSignal): Promise<void> => {
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
          for (const statement of statements) {
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
  };
}
