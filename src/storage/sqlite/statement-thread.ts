/** A thread that runs one statement at a time on its own connection: long reads, or large transactions. */
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { connect } from './connect.ts';
import { SqliteConnection, type StatementOutcome } from './connection.ts';
import { sqliteCodeOf } from './errors.ts';
import type { StatementRequest, StatementResult, ThreadData } from './statement-threads.ts';
import { TimedReads } from './timed-reads.ts';

const { file, kind, niceness, flags } = workerData as ThreadData;

let writes: SqliteConnection | undefined;
let reads: TimedReads | undefined;

function failureOf(error: unknown): StatementResult {
  if (reads?.isOver) return { kind: 'over' };
  const { message, cause } = error as Error;
  const first = (cause as Error | undefined)?.cause ?? error;
  return { kind: 'failed', message, sqliteCode: sqliteCodeOf(first) };
}

function read({ timeoutMs, ...query }: StatementRequest): StatementOutcome {
  reads ??= new TimedReads(file, () => Atomics.load(flags, 0) !== 0);
  return reads.execute(query, timeoutMs);
}

function write(query: StatementRequest): StatementOutcome {
  writes ??= new SqliteConnection(connect(file));
  if (query.sql !== 'rollback') return writes.execute(query);
  writes.rollback();
  return { columns: [], values: [], changes: 0 };
}

function answerTo(request: StatementRequest): StatementResult {
  try {
    return { kind: 'done', ...(kind === 'reads' ? read(request) : write(request)) };
  } catch (error) {
    return failureOf(error);
  }
}

// On Linux this sets the priority of the calling thread; elsewhere that of the process, which must not change.
if (niceness > 0 && process.platform === 'linux') {
  setPriority(Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));
}

parentPort?.on('message', (message: StatementRequest | 'end') => {
  // With nothing left to wait for, the thread exits.
  if (message === 'end') parentPort?.close();
  else parentPort?.postMessage(answerTo(message));
});
