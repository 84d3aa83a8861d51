/**
 * How long a transaction may be idle before the server rolls it back, so that a stalled process soon releases its
 * locks.
 */
const IDLE_TRANSACTION_MS = 8000;

export interface TimeLimits {
  /** The time limit of one statement, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** The time limit of one wait for a lock, in milliseconds. */
  readonly lockTimeoutMs: number;
}

/**
 * SQL that sets every setting, for the session or, if local, for the transaction. Enables warnings regardless of the
 * role's settings, because the server reports an unconfirmed commit by a warning. Also enables durable commits.
 */
function settingsSql({ statementTimeoutMs, lockTimeoutMs }: TimeLimits, isLocal: boolean): string {
  const values = {
    statement_timeout: `'${statementTimeoutMs}'`,
    lock_timeout: `'${lockTimeoutMs}'`,
    idle_in_transaction_session_timeout: `'${IDLE_TRANSACTION_MS}'`,
    client_min_messages: `'warning'`,
    synchronous_commit: `coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on')`,
  };
  const calls = Object.entries(values).map(([name, value]) => `set_config('${name}', ${value}, ${isLocal})`);
  return `concat_ws(' ', ${calls.join(', ')})`;
}

/**
 * The first query on a new connection: `read_only` says whether the server accepts writes, and `pooled` whether there
 * is a pooler in between, which reports another process than the one that responds. Without a pooler, the query also
 * applies the session's settings. With one, they would apply to whatever session the pooler uses next, so each
 * transaction sets its own.
 * @param processId the server process id that the connection received; null for none
 */
export function firstQuestion(limits: TimeLimits, processId: number | null): string {
  const isDirect = `pg_backend_pid() = ${processId ?? 0}`;
  return `select current_setting('transaction_read_only') as read_only, not ${isDirect} as pooled,
  case when ${isDirect} then ${settingsSql(limits, false)} end`;
}

/** SQL that follows `begin` in the same message, if the session itself cannot be given the settings. */
export function transactionSettings(limits: TimeLimits): string {
  return `; select ${settingsSql(limits, true)}`;
}
