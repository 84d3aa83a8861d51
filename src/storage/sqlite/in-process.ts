/**
 * The statements that a service runs in threads, for a command: nothing else waits for its event loop, and starting a thread
 * takes longer than most commands.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError } from '../../model/errors.ts';
import { kyselyOver } from '../database/kysely-over.ts';
import { connect } from './connect.ts';
import { rowsOf, SqliteConnection } from './connection.ts';
import { asDomainError } from './errors.ts';
import type { StatementRunner } from './large-transactions.ts';
import type { FileReads } from './reader-threads.ts';
import { TimedReads } from './timed-reads.ts';

/** The long reads of a database file. */
function readsOf(file: string, timeoutMs: number): FileReads {
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
    return new SqliteConnection(connect(file));
  } catch (error) {
    throw asDomainError(error);
  }
}

/** Statements on a connection of their own. */
function statementsOf(file: string): StatementRunner {
  let connection: SqliteConnection | undefined;
  return {
    async run(query) {
      // Signals and the progress bar get their turn.
      await nextTurn();
      connection ??= opened(file);
      if (query.sql !== 'rollback') return connection.run(query);
      connection.rollback();
      return { rows: [] };
    },
    async close() {
      connection?.close();
    },
  };
}

/** What takes long, for a command. */
export const inProcess = (file: string, readTimeoutMs: number) => ({
  reads: readsOf(file, readTimeoutMs),
  writes: statementsOf(file),
  newCheck: () => statementsOf(file),
});
