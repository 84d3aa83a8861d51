import type { Backoff } from '../../runtime/backoff.ts';

/** Settings of the worker. All times are in milliseconds. */
export interface WorkerSettings {
  /** Poll interval for orders. `wake` cuts it short. */
  readonly poll: number;
  /** Minimum time between two polls for orders, normally and while the API is busy. */
  readonly gap: number;
  readonly busyGap: number;
  /** The gap is at least one millisecond per order being confirmed, up to this: under load, batches get larger. */
  readonly longestGap: number;
  /** Time after which orders of a process that did not finish are due again. Longer than `patience`. */
  readonly lease: number;
  /** Maximum orders confirmed at once, normally and while the API is busy. */
  readonly looks: number;
  readonly busyLooks: number;
  /** Maximum orders claimed at once, normally and while the API is busy. */
  readonly batch: number;
  readonly busyBatch: number;
  /** Maximum zones per catalog step, normally and while the API is busy: servers request all of them at once. */
  readonly catalogBatch: number;
  readonly busyCatalogBatch: number;
  /** Maximum queries in flight, in total and per server. */
  readonly questions: number;
  readonly questionsPerServer: number;
  /** Waits between queries to a server that does not have the change yet. */
  readonly ask: Backoff;
  /** Timeouts of UDP queries; `udpTries` of them come before TCP. */
  readonly answer: Backoff;
  readonly udpTries: number;
  readonly tcpAnswer: number;
  /** Time an order is confirmed before it is put off. */
  readonly patience: number;
  /** Time to wait for the remaining servers once enough have a change. */
  readonly stragglers: number;
  /** Delay of an order after each attempt. */
  readonly retry: Backoff;
  /** Like `retry`, once enough servers have the change. */
  readonly stragglerRetry: Backoff;
  /** Waits between unanswered NOTIFY messages; `notifyTries` are sent. */
  readonly notify: Backoff;
  readonly notifyTries: number;
  /** A server that has not responded for `silence` gets one query at a time, every `probe`. */
  readonly silence: number;
  readonly probe: number;
  /** A zone goes to ERROR once its servers have been behind for this long. */
  readonly errorAfter: number;
  /** Time for which outcomes are collected. */
  readonly settleDelay: number;
  /** Backoff after a failure of the store. */
  readonly storeRetry: Backoff;
  readonly reconcileEvery: number;
  readonly reconcileBatch: number;
  readonly pruneEvery: number;
  readonly pruneBatch: number;
  /** Time for which names of removed zones are kept and checked by the sweep. */
  readonly formerFor: number;
  /** Poll interval for the sweep, and the time from the start of one sweep to the next. */
  readonly sweepAfter: number;
  readonly sweepEvery: number;
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
    poll: SECOND,
    gap: 5,
    busyGap: 250,
    longestGap: 500,
    lease: 10 * SECOND,
    looks: 1000,
    busyLooks: 200,
    batch: 500,
    busyBatch: 20,
    catalogBatch: 5000,
    busyCatalogBatch: 20,
    questions: options.maxQuestions,
    questionsPerServer: Math.ceil(options.maxQuestions / 2),
    ask: { firstMs: 5, factor: 1.7, maxMs: 2 * SECOND },
    answer: { firstMs: 250, factor: 2, maxMs: SECOND },
    udpTries: 2,
    tcpAnswer: SECOND,
    patience: 5 * SECOND,
    stragglers: 100,
    retry: { firstMs: 2 * SECOND, factor: 2, maxMs: 5 * MINUTE },
    stragglerRetry: { firstMs: 5 * SECOND, factor: 2, maxMs: HOUR },
    notify: { firstMs: 250, factor: 2, maxMs: 4 * SECOND },
    notifyTries: 5,
    silence: 2 * SECOND,
    probe: SECOND,
    errorAfter: options.errorAfter * SECOND,
    settleDelay: 20,
    storeRetry: { firstMs: 100, factor: 2, maxMs: 5 * SECOND },
    reconcileEvery: MINUTE,
    reconcileBatch: 500,
    pruneEvery: HOUR,
    pruneBatch: 500,
    formerFor: options.formerDays * DAY,
    sweepAfter: MINUTE,
    sweepEvery: options.sweepHours * HOUR,
    sweepRate: options.sweepRate,
  };
}
