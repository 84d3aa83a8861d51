import type { Backoff } from '../../runtime/backoff.ts';

/** Settings of a DNS client. */
export interface DnsClientSettings {
  /** Maximum queries in flight, in total and per server. */
  readonly maxQueries: number;
  readonly maxQueriesPerServer: number;
  /** Timeouts of UDP queries; `udpTries` of them come before TCP. */
  readonly udpTimeout: Backoff;
  readonly udpTries: number;
  readonly tcpTimeoutMs: number;
  /** A server that has not responded for `openAfterMs` gets one query at a time, every `probeIntervalMs`. */
  readonly openAfterMs: number;
  readonly probeIntervalMs: number;
}

/** Settings of the worker. */
export interface WorkerSettings extends DnsClientSettings {
  /** Poll interval for orders. `wake` cuts it short. */
  readonly pollMs: number;
  /** Minimum time between two polls for orders, normally and while the API is busy. */
  readonly minGapMs: number;
  readonly busyMinGapMs: number;
  /** The gap is at least one millisecond per order being confirmed, up to this: under load, batches get larger. */
  readonly maxGapMs: number;
  /** Time after which orders of a process that did not finish are due again. Longer than `confirmForMs`. */
  readonly leaseMs: number;
  /** Maximum orders confirmed at once, normally and while the API is busy. */
  readonly maxTracked: number;
  readonly busyMaxTracked: number;
  /** Maximum orders claimed at once, normally and while the API is busy. */
  readonly batchSize: number;
  readonly busyBatchSize: number;
  /** Maximum zones per catalog step, normally and while the API is busy: servers request all of them at once. */
  readonly catalogBatchSize: number;
  readonly busyCatalogBatchSize: number;
  /** Waits between queries to a server that does not have the change yet. */
  readonly queryBackoff: Backoff;
  /** Time an order is confirmed before it is put off. */
  readonly confirmForMs: number;
  /** Time to wait for the remaining servers once enough have a change. */
  readonly stragglerWaitMs: number;
  /** Delay of an order after each attempt. */
  readonly retryBackoff: Backoff;
  /** Like `retryBackoff`, once enough servers have the change. */
  readonly stragglerBackoff: Backoff;
  /** Waits between unanswered NOTIFY messages; `notifyTries` are sent. */
  readonly notifyBackoff: Backoff;
  readonly notifyTries: number;
  /** A zone goes to ERROR once its servers have been behind for this long. */
  readonly errorAfterMs: number;
  /** Time for which outcomes are collected. */
  readonly settleDelayMs: number;
  /** Backoff after a failure of the store. */
  readonly storeBackoff: Backoff;
  readonly reconcileIntervalMs: number;
  readonly reconcileBatch: number;
  readonly pruneIntervalMs: number;
  readonly pruneBatch: number;
  /** Time for which names of removed zones are kept and checked by the sweep. */
  readonly formerNamesForMs: number;
  /** Poll interval for the sweep, and the time from the start of one sweep to the next. */
  readonly sweepPollMs: number;
  readonly sweepIntervalMs: number;
  /** Queries of the sweep per second. */
  readonly sweepRate: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The options that operators set. */
export interface WorkerOptions {
  /** In seconds. */
  readonly errorAfter: number;
  readonly maxQuestions: number;
  readonly sweepHours: number;
  /** Queries per second. */
  readonly sweepRate: number;
  readonly formerDays: number;
}

/** Derives the settings from the operator's options. */
export function workerSettings(options: WorkerOptions): WorkerSettings {
  return {
    pollMs: SECOND,
    minGapMs: 5,
    busyMinGapMs: 250,
    maxGapMs: 500,
    leaseMs: 10 * SECOND,
    maxTracked: 1000,
    busyMaxTracked: 200,
    batchSize: 500,
    busyBatchSize: 20,
    catalogBatchSize: 5000,
    busyCatalogBatchSize: 20,
    maxQueries: options.maxQuestions,
    maxQueriesPerServer: Math.ceil(options.maxQuestions / 2),
    queryBackoff: { firstMs: 5, factor: 1.7, maxMs: 2 * SECOND },
    udpTimeout: { firstMs: 250, factor: 2, maxMs: SECOND },
    udpTries: 2,
    tcpTimeoutMs: SECOND,
    confirmForMs: 5 * SECOND,
    stragglerWaitMs: 100,
    retryBackoff: { firstMs: 2 * SECOND, factor: 2, maxMs: 5 * MINUTE },
    stragglerBackoff: { firstMs: 5 * SECOND, factor: 2, maxMs: HOUR },
    notifyBackoff: { firstMs: 250, factor: 2, maxMs: 4 * SECOND },
    notifyTries: 5,
    openAfterMs: 2 * SECOND,
    probeIntervalMs: SECOND,
    errorAfterMs: options.errorAfter * SECOND,
    settleDelayMs: 20,
    storeBackoff: { firstMs: 100, factor: 2, maxMs: 5 * SECOND },
    reconcileIntervalMs: MINUTE,
    reconcileBatch: 500,
    pruneIntervalMs: HOUR,
    pruneBatch: 500,
    formerNamesForMs: options.formerDays * DAY,
    sweepPollMs: MINUTE,
    sweepIntervalMs: options.sweepHours * HOUR,
    sweepRate: options.sweepRate,
  };
}
