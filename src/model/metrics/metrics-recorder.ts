import type { GuardrailName } from '../guardrails/guardrail.ts';

/** A request that was answered. Each text is one of a closed set, whatever callers send. */
export interface FinishedRequest {
  /** The path of the route, such as `/v2/zones/{zone_id}`; `none` for unknown paths. */
  readonly route: string;
  /** A method of the route, or `other`. */
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** Use of a pool of database connections. */
export interface PoolUse {
  /** Open connections. */
  readonly open: number;
  /** Open connections that are unused. */
  readonly idle: number;
  /** Requests waiting for a connection. */
  readonly waiting: number;
}

export type GuardrailResult = 'warned' | 'refused' | 'overridden';

export type TransactionOutcome = 'committed' | 'refused' | 'failed';

/** Records metrics. Its methods never throw or wait, and each costs about a microsecond. */
export interface MetricsRecorder {
  requestFinished(request: FinishedRequest): void;
  /** @param reason why there was no room for the connection; one of a closed set */
  connectionClosed(reason: string): void;
  /** @param kind one from the catalogues of refusals */
  requestRefused(kind: string): void;
  /** @param reason why the credentials are invalid; one of a closed set */
  credentialsFailed(reason: string): void;
  /** @param outcome a kind of verdict */
  nameChecked(outcome: string, seconds: number): void;
  guardrailFound(guardrail: GuardrailName, outcome: GuardrailResult): void;
  /** Records the end of a long check. @param units of its budget that it used */
  longCheckEnded(units: number): void;
  transactionEnded(outcome: TransactionOutcome, seconds: number): void;
  /** @param reason a kind of temporary failure */
  retried(reason: string): void;
  /** @param transactions number of transactions in one commit */
  groupCommitted(transactions: number): void;
  /** Time spent waiting for a database connection. */
  connectionTaken(seconds: number): void;
  /** Reports the use of a connection pool from now on. */
  watchPool(name: 'requests' | 'transfers', use: () => PoolUse): void;
  /** Time from the commit of a change until enough servers answered with it. */
  zonePublished(seconds: number): void;
  /** @param server of a pool, as `host:port` */
  serverFailed(server: string): void;
  /** A slice of a job has ended. @param isDone whether without an error */
  jobEnded(job: string, seconds: number, isDone: boolean): void;
}

const ignore = (): void => {};

/** A recorder that discards everything. */
export const NO_METRICS: MetricsRecorder = {
  requestFinished: ignore,
  connectionClosed: ignore,
  requestRefused: ignore,
  credentialsFailed: ignore,
  nameChecked: ignore,
  guardrailFound: ignore,
  longCheckEnded: ignore,
  transactionEnded: ignore,
  retried: ignore,
  groupCommitted: ignore,
  connectionTaken: ignore,
  watchPool: ignore,
  zonePublished: ignore,
  serverFailed: ignore,
  jobEnded: ignore,
};
