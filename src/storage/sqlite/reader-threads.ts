import type { LongReads } from '../database/database.ts';
import { type Lane, longReadsOver } from '../database/long-reads.ts';
import { StatementThread } from './statement-threads.ts';

/** When processors are scarce, requests run before slow reads. */
const NICENESS_OF_SLOW = 10;

/** The long reads of a database file. */
export interface FileReads {
  readonly reads: LongReads;
  close(): Promise<void>;
}

/** The long reads of a service: one thread for each lane. */
export function readerThreads(file: string, timeoutMs: number): FileReads {
  const thread = (niceness: number) => new StatementThread({ file, kind: 'reads', niceness });
  const threads: Readonly<Record<Lane, StatementThread>> = {
    quick: thread(0),
    slow: thread(NICENESS_OF_SLOW),
  };

  return {
    reads: longReadsOver({
      kind: 'sqlite',
      places: { quick: 1, slow: 1 },
      timeoutMs,
      run: (query, lane, limitMs) => threads[lane].run(query, limitMs),
    }),
    async close() {
      await Promise.all([threads.quick.close(), threads.slow.close()]);
    },
  };
}
