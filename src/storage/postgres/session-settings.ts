/** How long a transaction may be idle before the server rolls it back, so that locks soon end after a stall. */
const IDLE_TRANSACTION_MS = 8000;

export interface TimeLimits {
  /** How long one statement may take, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** How long it may wait for one lock, in milliseconds. */
  readonly lockTimeoutMs: number;
}

/**
 * SQL that gives every setting its value, for the session or, if local, for the transaction. Enables warnings whatever the
 * role's settings are: a warning is how the server reports an unconfirmed commit. Also enables durable commits.
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
 * The first question on a new connection: whether the server accepts writes (`read_only`), and whether a pooler stands
 * before it (`pooled`): a pooler names another process than the one that answers. Without one, the session gets its settings
 * here. With one they would reach whatever session the pooler takes next, so each transaction brings its own.
 * @param processId what the connection was told of its server process; null if nothing
 */
export function firstQuestion(limits: TimeLimits, processId: number | null): string {
  const isDirect = `pg_backend_pid() = ${processId ?? 0}`;
  return `select current_setting('transaction_read_only') as read_only, not ${isDirect} as pooled,
  case when ${isDirect} then ${settingsSql(limits, false)} end`;
}

/** Follows `begin` in the same message where the session cannot have the settings. */
export function transactionSettings(limits: TimeLimits): string {
  return `; select ${settingsSql(limits, true)}`;
}
