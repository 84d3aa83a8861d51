import type { Backoff } from '../../runtime/backoff.ts';

/** How the worker goes about it. All times are in milliseconds. */
export interface WorkerSettings {
  /** It looks for orders this often, even if nothing wakes it. */
  readonly poll: number;
  /** The least time between two looks for orders, and the one while the API is busy. */
  readonly gap: number;
  readonly busyGap: number;
  /** A millisecond is added for each order that is looked after, up to this: the more there is to do, the larger the steps. */
  readonly longestGap: number;
  /** Orders that a process took and did not finish are free again after this time. Longer than `patience`. */
  readonly lease: number;
  /** Orders that are looked after at once, and while the API is busy. */
  readonly looks: number;
  readonly busyLooks: number;
  /** Orders that are taken at once, and while the API is busy. */
  readonly batch: number;
  readonly busyBatch: number;
  /** Zones that one step of a catalog takes in, and while the API is busy: servers ask for all of them at once. */
  readonly catalogBatch: number;
  readonly busyCatalogBatch: number;
  /** Questions in flight, in all and to one server. */
  readonly questions: number;
  readonly questionsPerServer: number;
  /** Between questions to a server that does not have the change yet. */
  readonly ask: Backoff;
  /** How long an answer by UDP is waited for; there are `udpTries` of them before TCP. */
  readonly answer: Backoff;
  readonly udpTries: number;
  readonly tcpAnswer: number;
  /** How long servers are asked for one order, before it is put off. */
  readonly patience: number;
  /** How long the others are waited for once enough servers have a change. */
  readonly stragglers: number;
  /** How long an order is put off after each attempt. */
  readonly retry: Backoff;
  /** The same once enough servers have it. */
  readonly stragglerRetry: Backoff;
  /** Between NOTIFY messages that are not answered; there are `notifyTries` of them. */
  readonly notify: Backoff;
  readonly notifyTries: number;
  /** A server that has answered nothing for so long is asked one question at a time, this often. */
  readonly silence: number;
  readonly probe: number;
  /** A zone is in ERROR when its servers have been behind for so long. */
  readonly errorAfter: number;
  /** Outcomes are collected for so long. */
  readonly settleDelay: number;
  /** After a failure of the store. */
  readonly storeRetry: Backoff;
  readonly reconcileEvery: number;
  readonly reconcileBatch: number;
  readonly pruneEvery: number;
  readonly pruneBatch: number;
  /** How long gone names are kept, and asked for by the sweep. */
  readonly formerFor: number;
  /** Each process looks so often whether the sweep is due, which it is so long after its last beginning. */
  readonly sweepAfter: number;
  readonly sweepEvery: number;
  /** Questions of the sweep in a second. */
  readonly sweepRate: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What operators decide. */
export interface WorkerOptions {
  /** Seconds. */
  readonly errorAfter: number;
  readonly maxQuestions: number;
  readonly sweepHours: number;
  /** Questions in a second. */
  readonly sweepRate: number;
  readonly formerDays: number;
}

/** The settings that go with what the operator decides. */
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
