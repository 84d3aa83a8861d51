/** A thread that runs one statement at a time on its own connection: long reads, or large transactions. */
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { connect, connectForReads } from './connect.ts';
import { SqliteConnection } from './connection.ts';
import { sqliteCodeOf } from './errors.ts';
import type { StatementRequest, StatementResult, ThreadData } from './statement-threads.ts';

const CHECK = 'The read has reached its time limit.';

const { file, kind, niceness, flags } = workerData as ThreadData;

let deadline = 0;
let isOver = false;
let connection: SqliteConnection | undefined;

function open(): SqliteConnection {
  if (kind === 'writes') return new SqliteConnection(connect(file));
  const database = connectForReads(file);
  // SQLite calls this for the rows that a long read visits; its exception ends the statement.
  database.function('in_time', { varargs: true }, () => {
    if (performance.now() <= deadline && Atomics.load(flags, 0) === 0) return 1;
    isOver = true;
    throw new Error(CHECK);
  });
  return new SqliteConnection(database);
}

function failureOf(error: unknown): StatementResult {
  if (isOver) return { kind: 'over' };
  const { message, cause } = error as Error;
  const first = (cause as Error | undefined)?.cause ?? error;
  return { kind: 'failed', message, sqliteCode: sqliteCodeOf(first) };
}

function answerTo({ sql, parameters, timeoutMs }: StatementRequest): StatementResult {
  deadline = performance.now() + timeoutMs;
  isOver = false;
  try {
    connection ??= open();
    if (sql === 'rollback') {
      connection.rollback();
      return { kind: 'done', columns: [], values: [], changes: 0 };
    }
    return { kind: 'done', ...connection.execute({ sql, parameters }) };
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
