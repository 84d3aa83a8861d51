import type { Backoff } from '../../runtime/backoff.ts';
import type { WorkerSettings } from '../worker/settings.ts';

/** How much of one transfer is read, and how slowly it may come. Times are in milliseconds. */
export interface TransferBounds {
  /** How long a master may take to accept a connection, and then until its answer begins. */
  readonly connectMs: number;
  readonly answerMs: number;
  /** How long a whole transfer may take, with the writing of what comes. */
  readonly maxTransferMs: number;
  /** The least rate at which a master must send, in octets a second, over each window in which it was waited for. */
  readonly minRate: number;
  readonly rateWindowMs: number;
  /** Of a whole transfer. */
  readonly maxOctets: number;
  readonly maxRecords: number;
  /** What the differences of an IXFR may take of the memory, in bytes: beyond that the zone is fetched whole. */
  readonly maxDifferenceBytes: number;
}

/** How secondary zones are kept up to date. Times are in milliseconds. */
export interface SecondarySettings extends TransferBounds {
  /** It looks for zones that are due this often, even if nothing wakes it. */
  readonly poll: number;
  /** The least time between two looks, and the one while the API is busy. */
  readonly gap: number;
  readonly busyGap: number;
  /** Zones whose masters are asked at once. */
  readonly zones: number;
  /** Transfers at once, in all and from one address, and how long one waits for its place. */
  readonly transfers: number;
  readonly transfersPerMaster: number;
  readonly transferWaitMs: number;
  /** Of the questions for the SOA. */
  readonly questions: Pick<
    WorkerSettings,
    'questions' | 'questionsPerServer' | 'answer' | 'udpTries' | 'tcpAnswer' | 'silence' | 'probe'
  >;
  /** After a failure of the store. */
  readonly storeRetry: Backoff;
}

const SECOND = 1000;

/** What operators decide. Times are in seconds. */
export interface SecondaryOptions {
  readonly maxQuestions: number;
  readonly maxTransfers: number;
  readonly maxTransfersPerMaster: number;
  readonly connectTimeout: number;
  readonly answerTimeout: number;
  readonly transferTimeout: number;
  /** Octets a second. */
  readonly transferRate: number;
  readonly maxTransferSize: number;
  readonly maxTransferRecords: number;
  readonly maxDifferenceSize: number;
}

/** The settings that go with what the operator decides. */
export function secondarySettings(options: SecondaryOptions): SecondarySettings {
  return {
    connectMs: options.connectTimeout * SECOND,
    answerMs: options.answerTimeout * SECOND,
    maxTransferMs: options.transferTimeout * SECOND,
    minRate: options.transferRate,
    rateWindowMs: 10 * SECOND,
    maxOctets: options.maxTransferSize,
    maxRecords: options.maxTransferRecords,
    maxDifferenceBytes: options.maxDifferenceSize,
    poll: SECOND,
    gap: 100,
    busyGap: SECOND,
    zones: options.maxQuestions,
    transfers: options.maxTransfers,
    transfersPerMaster: options.maxTransfersPerMaster,
    transferWaitMs: 30 * SECOND,
    questions: {
      questions: options.maxQuestions,
      questionsPerServer: Math.ceil(options.maxQuestions / 2),
      answer: { firstMs: SECOND, factor: 2, maxMs: 2 * SECOND },
      udpTries: 2,
      tcpAnswer: 5 * SECOND,
      silence: 10 * SECOND,
      probe: 5 * SECOND,
    },
    storeRetry: { firstMs: 100, factor: 2, maxMs: 5 * SECOND },
  };
}
