/** Secondary zones in memory, and what keeps them. */
import { onTestFinished } from 'vitest';
import { canonicalName, type Fqdn } from '../../src/dns/names.ts';
import type { ServerAddress } from '../../src/model/pools/pool.ts';
import {
  type DueSecondary,
  type IncomingRecord,
  type IncomingSoa,
  type IncomingStep,
  type IncomingTransfer,
  type RefreshFailure,
  type Secondaries,
  TransferFault,
} from '../../src/model/secondaries/secondary.ts';
import {
  type SecondaryWorker,
  startSecondaryWorker,
} from '../../src/publisher/secondary/secondary-worker.ts';
import { type SecondaryWorkerSettings, secondarySettings } from '../../src/publisher/secondary/settings.ts';
import { eventually } from './eventually.ts';
import { jobsOfTest } from './jobs.ts';

/** Waits are long: none of them decides whether a test passes, unless it sets one itself. */
const SETTINGS: SecondaryWorkerSettings = {
  ...secondarySettings({
    maxQuestions: 50,
    maxTransfers: 10,
    maxTransfersPerMaster: 10,
    connectTimeout: 60,
    answerTimeout: 60,
    transferTimeout: 600,
    transferRate: 1,
    maxTransferSize: 2 ** 28,
    maxTransferRecords: 5_000_000,
    maxDifferenceSize: 2 ** 22,
  }),
  pollMs: 20,
  minGapMs: 1,
  queries: {
    maxQueries: 50,
    maxQueriesPerServer: 50,
    udpTimeout: { firstMs: 30_000, factor: 1, maxMs: 30_000 },
    udpTries: 1,
    tcpTimeoutMs: 30_000,
    openAfterMs: 60_000,
    probeIntervalMs: 1,
  },
};

/** For masters that do not answer by UDP, or nothing that can be read: they are soon asked by TCP. */
export const SOON_BY_TCP: Partial<SecondaryWorkerSettings> = {
  queries: { ...SETTINGS.queries, udpTimeout: { firstMs: 50, factor: 1, maxMs: 50 } },
};

/** What came of a claim. */
export type Told =
  | { readonly kind: 'whole'; readonly soa: IncomingSoa; readonly records: readonly IncomingRecord[] }
  | { readonly kind: 'differences'; readonly soa: IncomingSoa; readonly steps: readonly IncomingStep[] }
  | { readonly kind: 'current'; readonly soa: IncomingSoa }
  | { readonly kind: 'failed'; readonly reason: string; readonly isOfMasters: boolean };

/** Zones that are due once for each time that a test says so. */
export class SecondaryZones implements Secondaries {
  readonly told: Told[] = [];
  /** Names of zones that were claimed, and left to others. */
  readonly releases: string[] = [];
  /** Records that were handed over, of transfers that broke off as well. */
  read = 0;
  /** More records than these are refused. */
  maxRecords = Number.POSITIVE_INFINITY;
  /** Whether the next differences do not fit. */
  isMisfit = false;
  /** Failures that cost a transfer. */
  costly = 0;
  claims = 0;
  /** Thrown by the next claim. */
  failure: Error | undefined;
  #due: DueSecondary[] = [];

  due(
    masters: readonly ServerAddress[],
    rest: Partial<Omit<DueSecondary, 'name'>> & { name?: string } = {},
  ): void {
    const name = canonicalName<Fqdn>(rest.name ?? 'example.com.');
    const zone = {
      id: name,
      projectId: 'shop',
      serial: null,
      key: null,
      wantsWhole: false,
      ...rest,
      masters,
      name,
    };
    this.#due.push(zone);
  }

  async claim(limit: number): Promise<readonly DueSecondary[]> {
    this.claims += 1;
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    return this.#due.splice(0, limit);
  }

  async notified(): Promise<boolean> {
    return false;
  }

  async take(_zone: DueSecondary, transfer: IncomingTransfer): Promise<'taken' | 'misfit'> {
    if (transfer.kind === 'differences') {
      if (this.isMisfit) return 'misfit';
      this.told.push(transfer);
      return 'taken';
    }
    const records: IncomingRecord[] = [];
    for await (const page of transfer.records) {
      this.read += page.length;
      if (this.read > this.maxRecords) throw new TransferFault('The zone has more records than its quota.');
      records.push(...page);
    }
    this.told.push({ kind: 'whole', soa: transfer.soa, records });
    return 'taken';
  }

  async current(_zone: DueSecondary, soa: IncomingSoa): Promise<void> {
    this.told.push({ kind: 'current', soa });
  }

  async failed(_zone: DueSecondary, { isCostly, ...failure }: RefreshFailure): Promise<void> {
    if (isCostly) this.costly += 1;
    this.told.push({ kind: 'failed', ...failure });
  }

  async released({ name }: DueSecondary): Promise<void> {
    this.releases.push(name);
  }

  /** What came of the next one. */
  async next(): Promise<Told> {
    return eventually(() => this.told.shift());
  }
}

interface Kept {
  readonly zones: SecondaryZones;
  readonly worker: SecondaryWorker & { stop(): Promise<void> };
  readonly errors: object[];
}

/** Zones, and what keeps them, for one test. */
export function keepZones(settings: Partial<SecondaryWorkerSettings> = {}): Kept {
  const zones = new SecondaryZones();
  const errors: object[] = [];
  const nothing = () => {};
  const log = {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: (fields: object) => errors.push(fields),
  };
  const jobs = jobsOfTest(log);
  const started = startSecondaryWorker(
    jobs,
    { secondaries: zones, log, busy: () => false },
    { ...SETTINGS, ...settings },
  );
  const worker = { wake: () => started.wake(), stop: () => jobs.stop() };
  onTestFinished(() => worker.stop());
  return { zones, worker, errors };
}
