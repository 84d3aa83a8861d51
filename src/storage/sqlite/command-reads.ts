import { DomainError } from '../../model/errors.ts';
import { kyselyOver } from '../database/kysely-over.ts';
import { rowsOf } from './connection.ts';
import { asDomainError } from './errors.ts';
import type { FileReads } from './reader-threads.ts';
import { TimedReads } from './timed-reads.ts';

/**
 * The long reads of a command. Nothing else waits for its event loop, and starting a thread takes longer than most of
 * them.
 */
export function commandReads(file: string, timeoutMs: number): FileReads {
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
