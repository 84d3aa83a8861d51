/** A request that was answered. Each text is one of a closed set, whatever callers send. */
export interface AnsweredRequest {
  /** The path of the route, such as `/v2/zones/{zone_id}`; `none` for unknown paths. */
  readonly route: string;
  /** A method of the route, or `other`. */
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** Connections to the database. */
export interface PoolUse {
  /** Those that are open. */
  readonly open: number;
  /** Those of them that nobody uses. */
  readonly idle: number;
  /** Who waits for one. */
  readonly waiting: number;
}

export type TransactionOutcome = 'committed' | 'refused' | 'failed';

/** Is told what happens, to count and measure it. No method throws or waits, and each costs about a microsecond. */
export interface Meter {
  requestAnswered(request: AnsweredRequest): void;
  /** @param reason why there was no place for a connection, one of a closed set */
  connectionClosed(reason: string): void;
  /** @param kind one of the catalogues of refusals */
  requestRefused(kind: string): void;
  /** @param reason one of those for which a caller is nobody */
  credentialsFailed(reason: string): void;
  /** @param outcome a kind of verdict */
  nameChecked(outcome: string, seconds: number): void;
  /** A check that was ended beside the others. @param units of its budget */
  longCheckEnded(units: number): void;
  transactionEnded(outcome: TransactionOutcome, seconds: number): void;
  /** @param reason a kind of trouble that passes */
  retried(reason: string): void;
  /** @param transactions how many one commit took */
  groupCommitted(transactions: number): void;
  /** How long somebody waited for a connection to the database. */
  connectionTaken(seconds: number): void;
  /** Shows the use of a pool of connections from now on. */
  watchPool(name: 'requests' | 'transfers', use: () => PoolUse): void;
  /** How long it took from the commit of a change until enough servers answered with it. */
  zonePublished(seconds: number): void;
  /** @param server of a pool, as `host:port` */
  serverFailed(server: string): void;
  /** A slice of a job has ended. @param isDone whether without an error */
  jobEnded(job: string, seconds: number, isDone: boolean): void;
}

const ignore = (): void => {};

/** Where nobody asks for figures. */
export const NO_METER: Meter = {
  requestAnswered: ignore,
  connectionClosed: ignore,
  requestRefused: ignore,
  credentialsFailed: ignore,
  nameChecked: ignore,
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
