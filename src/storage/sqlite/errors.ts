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

/** SQLite's texts for these codes (`sqlite3_errstr`). */
const CODES_BY_TEXT: ReadonlyMap<unknown, number> = new Map([
  ['database is locked', 5],
  ['database table is locked', 6],
  ['attempt to write a readonly database', 8],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['file is not a database', 26],
]);

/** The primary result code of an error of the library; undefined for any other error. */
export function sqliteCodeOf(error: unknown): number | undefined {
  const { code, sqliteCode, message } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof sqliteCode === 'number') return sqliteCode & 0xff;
  // The library's `all()`, unlike its other methods, throws errors without a result code.
  return code === 'ERR_SQLITE_ERROR' ? CODES_BY_TEXT.get(message) : undefined;
}

/** Describes the problem with the database file; undefined for any other error. */
export function sqliteFailure(error: unknown): string | undefined {
  const code = sqliteCodeOf(error);
  return code === undefined ? undefined : UNAVAILABLE.get(code);
}

/** True if another connection holds the lock that a statement needed. */
export function isBusy(error: unknown): boolean {
  return sqliteCodeOf(error) === 5;
}

/** Returns the error unchanged, or `storage_unavailable` if the database failed. */
export function asDomainError(error: unknown): unknown {
  const failure = sqliteFailure(error);
  if (failure === undefined) return error;
  const unavailable = new DomainError('storage_unavailable');
  unavailable.cause = new Error(`the database is ${failure}`, { cause: error });
  return unavailable;
}
