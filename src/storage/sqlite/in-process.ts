/**
 * The reads that a service runs in threads, for a command: nothing else waits for its event loop, and starting a thread takes
 * longer than most of them.
 */
import { DomainError } from '../../model/errors.ts';
import { kyselyOver } from '../database/kysely-over.ts';
import { connectForReads } from './connect.ts';
import { rowsOf, SqliteConnection } from './connection.ts';
import { asDomainError } from './errors.ts';
import type { FileReads } from './reader-threads.ts';
import type { FileCheckStatements } from './soundness.ts';
import { TimedReads } from './timed-reads.ts';

/** The long reads of a command. */
export function readsInProcess(file: string, timeoutMs: number): FileReads {
  let timed: TimedReads | undefined;
  const db = kyselyOver('sqlite', async (query) => {
    try {
      timed ??= new TimedReads(file);
      const outcome = timed.execute(query, timeoutMs);
      return { rows: rowsOf(outcome), numAffectedRows: BigInt(outcome.changes) };
    } catch (error) {
      throw timed?.isOver ? new DomainError('slow_read', undefined, { cause: error }) : asDomainError(error);
    }
  });
  return {
    reads: () => db,
    async close() {
      timed?.close();
    },
  };
}

function opened(file: string): SqliteConnection {
  try {
    return new SqliteConnection(connectForReads(file));
  } catch (error) {
    throw asDomainError(error);
  }
}

/** The statements with which a command checks the file. */
export function checkInProcess(file: string): FileCheckStatements {
  let connection: SqliteConnection | undefined;
  return {
    async run(query) {
      connection ??= opened(file);
      return connection.run(query);
    },
    async close() {
      connection?.close();
    },
  };
}
