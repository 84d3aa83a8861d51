import pg from 'pg';
import { DomainError, UNKNOWN_OUTCOME } from '../../model/errors.ts';
import { LOCK_NOT_AVAILABLE, UNIQUE_VIOLATION } from './postgres-errors.ts';

/** A statement took too long. */
const QUERY_CANCELED = '57014';

/** See https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const BY_CODE: Readonly<Record<string, PostgresFailure>> = {
  '40001': 'conflict',
  '40P01': 'conflict',
  [UNIQUE_VIOLATION]: 'duplicate',
  [LOCK_NOT_AVAILABLE]: 'unavailable',
  [QUERY_CANCELED]: 'unavailable',
  '26000': 'stale',
  // A pooler has given one connection to two sessions.
  '42P05': 'stale',
  // "cached plan must not change result type"
  '0A000': 'stale',
  // The server has become a standby.
  '25006': 'lost',
  // The server has ended the session.
  '25P03': 'lost',
  '57P01': 'lost',
  '57P02': 'lost',
  '57P05': 'lost',
  '3D000': 'unavailable',
};
/** Connection, authentication, resources, operator, system, and internal errors. */
const BY_CLASS: Readonly<Record<string, PostgresFailure>> = {
  '08': 'lost',
  '28': 'unavailable',
  '53': 'unavailable',
  '57': 'unavailable',
  '58': 'unavailable',
  XX: 'unavailable',
};

const UNKNOWN =
  'The connection to the storage was lost during the commit: the change may or may not have been made. Check, or send the request again, preferably with the same Idempotency-Key.';

/** The effect of a failure on its transaction. */
export type PostgresFailure =
  /** A conflict with other transactions: a retry may succeed. */
  | 'conflict'
  /** A key that is already there. Another transaction may have just added it: then the next attempt sees it. */
  | 'duplicate'
  /** The connection is gone: another one may work. */
  | 'lost'
  /** The prepared statements are gone, or invalid after a migration: a new connection works. */
  | 'stale'
  /** The database is unavailable now, and may recover. */
  | 'unavailable'
  /** Not a database failure: a refusal, or a bug. */
  | 'other';

/** No connection was available, or the one in use was lost. */
export class ConnectionLost extends Error {}

/** The wait for the server, or for a free connection to it, timed out. */
export class TimedOut extends Error {}

/** A commit may or may not have happened: the connection was lost during it, or no standby confirmed it. */
export class UnknownOutcome extends Error {}

export function failureKindOf(error: unknown): PostgresFailure {
  if (error instanceof ConnectionLost) return 'lost';
  if (error instanceof UnknownOutcome || error instanceof TimedOut) return 'unavailable';
  if (!(error instanceof pg.DatabaseError)) return 'other';
  const { code = '' } = error;
  return BY_CODE[code] ?? BY_CLASS[code.slice(0, 2)] ?? 'other';
}

/** True if the server ended a statement at its time limit. */
export function isCancelled(failure: unknown): boolean {
  return failure instanceof pg.DatabaseError && failure.code === QUERY_CANCELED;
}

/** True if the connection has ended or does not respond. */
export function isConnectionGone(failure: unknown): boolean {
  return failure instanceof ConnectionLost || failure instanceof TimedOut;
}

/** True if the driver knew that the connection was lost, and did not send the statement. */
export function wasNotSent(failure: unknown): boolean {
  if (!(failure instanceof ConnectionLost)) return false;
  return failure.cause instanceof Error && failure.cause.message.endsWith('is not queryable');
}

/** True if the connection can be used again. */
export function leavesConnectionUsable(failure: unknown): boolean {
  const failed = failureKindOf(failure);
  if (failed === 'lost' || failed === 'stale') return false;
  return failed === 'other' || failure instanceof pg.DatabaseError;
}

/** Maps a driver error: an error that is not from the server means a lost connection. */
export function asFailure(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof ConnectionLost) return error;
  const { message } = error as Error;
  return new (/time-?out|timed out/i.test(message) ? TimedOut : ConnectionLost)(message, { cause: error });
}

/** The server is starting or shutting down, or has no connection left. */
const COMES_BACK = /^(57P0[123]|53300)$/;
/** A pooler reports every error in class 08. These messages name an error that waiting does not fix. */
const FOR_GOOD = /password|auth|does not exist|no such|unsupported/i;

function isOfTheNetwork(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOfTheNetwork);
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall !== undefined || /^Connection terminated/.test(message);
}

/** True if the server is unreachable or not serving, but may recover. */
export function mayComeBack(error: unknown): boolean {
  if (error instanceof TimedOut) return true;
  if (error instanceof ConnectionLost) return error.cause === undefined || isOfTheNetwork(error.cause);
  if (error instanceof pg.DatabaseError) {
    const { code = '', message } = error;
    return COMES_BACK.test(code) || (code.startsWith('08') && !FOR_GOOD.test(message));
  }
  return error instanceof Error && error.cause !== undefined && mayComeBack(error.cause);
}

/** The refusal for a database failure; any other error is returned unchanged. */
export function asRefusal(error: unknown): unknown {
  const failed = failureKindOf(error);
  if (failed === 'other' || failed === 'duplicate') return error;
  const isUnknown = error instanceof UnknownOutcome;
  const refusal = isUnknown
    ? new DomainError('storage_unavailable', UNKNOWN, { details: { outcome: UNKNOWN_OUTCOME } })
    : new DomainError('storage_unavailable');
  refusal.cause = error;
  return refusal;
}
