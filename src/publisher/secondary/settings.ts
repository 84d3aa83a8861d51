import type { Backoff } from '../../runtime/backoff.ts';
import type { DnsClientSettings } from '../worker/settings.ts';

/** Limits of one transfer. Times are in milliseconds. */
export interface TransferBounds {
  /** Time for a master to accept a connection, and then to start its response. */
  readonly connectMs: number;
  readonly answerMs: number;
  /** Maximum duration of a whole transfer, including the writes. */
  readonly maxTransferMs: number;
  /** Minimum rate of a master, in octets per second, over each window of time spent waiting for it. */
  readonly minRate: number;
  readonly rateWindowMs: number;
  /** Maximum size of a whole transfer. */
  readonly maxOctets: number;
  readonly maxRecords: number;
  /** Maximum memory of the differences of an IXFR, in bytes; beyond that the whole zone is transferred. */
  readonly maxDifferenceBytes: number;
}

/** Settings of the secondary worker. Times are in milliseconds. */
export interface SecondaryWorkerSettings extends TransferBounds {
  /** Poll interval for due zones. `wake` cuts it short. */
  readonly pollMs: number;
  /** Minimum time between two polls, normally and while the API is busy. */
  readonly minGapMs: number;
  readonly busyMinGapMs: number;
  /** Maximum number of zones refreshed at once. */
  readonly maxZones: number;
  /** Maximum transfers at once, in total and per master address, and the time a transfer waits for its place. */
  readonly maxTransfers: number;
  readonly maxTransfersPerMaster: number;
  readonly transferWaitMs: number;
  /** Settings of the SOA queries. */
  readonly queries: DnsClientSettings;
  /** Backoff after a failure of the store. */
  readonly storeBackoff: Backoff;
}

const SECOND = 1000;

/** The options that operators set. Times are in seconds. */
export interface SecondaryOptions {
  readonly maxQuestions: number;
  readonly maxTransfers: number;
  readonly maxTransfersPerMaster: number;
  readonly connectTimeout: number;
  readonly answerTimeout: number;
  readonly transferTimeout: number;
  /** In octets per second. */
  readonly transferRate: number;
  readonly maxTransferSize: number;
  readonly maxTransferRecords: number;
  readonly maxDifferenceSize: number;
}

/** Derives the settings from the operator's options. */
export function secondarySettings(options: SecondaryOptions): SecondaryWorkerSettings {
  return {
    connectMs: options.connectTimeout * SECOND,
    answerMs: options.answerTimeout * SECOND,
    maxTransferMs: options.transferTimeout * SECOND,
    minRate: options.transferRate,
    rateWindowMs: 10 * SECOND,
    maxOctets: options.maxTransferSize,
    maxRecords: options.maxTransferRecords,
    maxDifferenceBytes: options.maxDifferenceSize,
    pollMs: SECOND,
    minGapMs: 100,
    busyMinGapMs: SECOND,
    maxZones: options.maxQuestions,
    maxTransfers: options.maxTransfers,
    maxTransfersPerMaster: options.maxTransfersPerMaster,
    transferWaitMs: 30 * SECOND,
    queries: {
      maxQueries: options.maxQuestions,
      maxQueriesPerServer: Math.ceil(options.maxQuestions / 2),
      udpTimeout: { firstMs: SECOND, factor: 2, maxMs: 2 * SECOND },
      udpTries: 2,
      tcpTimeoutMs: 5 * SECOND,
      openAfterMs: 10 * SECOND,
      probeIntervalMs: 5 * SECOND,
    },
    storeBackoff: { firstMs: 100, factor: 2, maxMs: 5 * SECOND },
  };
}
