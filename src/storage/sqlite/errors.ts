import { DomainError } from '../../model/errors.ts';

// Primary result codes (https://www.sqlite.org/rescode.html) after which the same request may succeed later.
const UNAVAILABLE = new Map([
  [5, 'locked by another process'],
  [6, 'locked'],
  [8, 'read-only'],
  [10, 'failing with I/O errors'],
  [11, 'corrupt'],
  [13, 'out of space'],
  [14, 'not accessible'],
  [26, 'not a database'],
]);

/** Describes the problem with the database file; undefined for any other error. */
export function sqliteFailure(error: unknown): string | undefined {
  const code = (error as { sqliteCode?: unknown } | null)?.sqliteCode;
  return typeof code === 'number' ? UNAVAILABLE.get(code & 0xff) : undefined;
}

/** True if another connection holds the lock that a statement needed. */
export function isBusy(error: unknown): boolean {
  const code = (error as { sqliteCode?: unknown } | null)?.sqliteCode;
  return typeof code === 'number' && (code & 0xff) === 5;
}

/** Returns the error unchanged, or `storage_unavailable` if the database failed. */
export function asDomainError(error: unknown): unknown {
  const trouble = sqliteFailure(error);
  if (trouble === undefined) return error;
  const unavailable = new DomainError('storage_unavailable');
  unavailable.cause = new Error(`the database is ${trouble}`, { cause: error });
  return unavailable;
}
