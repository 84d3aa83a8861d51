import { sql } from 'kysely';
import { DomainError, isStorageFailure } from '../model/errors.ts';
import { type MetricsRecorder, NO_METRICS } from '../model/metrics/metrics-recorder.ts';
import { NothingWritten, type Store, type Transaction } from '../model/store.ts';
import { apiTokenReads, apiTokenWrites } from './api-tokens.ts';
import { blacklistListReads, blacklistListWrites } from './blacklist-lists/blacklist-lists.ts';
import { blacklistReads, blacklistWrites } from './blacklists/blacklists.ts';
import { planningSnapshots, planningWrites } from './changes/planning.ts';
import type { BeforeCommit, Database, OpenTransaction } from './database/database.ts';
import { deletedZoneReads, deletedZoneWrites } from './deleted-zones/deleted-zones.ts';
import { eventReads, eventWrites } from './events/events.ts';
import { guardrailReads } from './guardrails/guardrails.ts';
import { targetIndexReads, targetIndexWrites } from './guardrails/target-index.ts';
import { historyReads, historyWrites } from './history/history.ts';
import { idempotencyKeyReads, idempotencyKeyWrites } from './idempotency-keys.ts';
import { leaseWrites } from './leases.ts';
import { metricsReads } from './metrics.ts';
import { poolReads, poolWrites } from './pools/pools.ts';
import { previewReads, previewWrites } from './previews.ts';
import { publicationWrites } from './publication/publications.ts';
import { publicationReads } from './publication/reads.ts';
import { recordsetReads, recordsetWrites } from './recordsets/recordsets.ts';
import * as resources from './resources.ts';
import { secondaryReads, secondaryWrites } from './secondaries/secondaries.ts';
import { serviceStatusReads, serviceStatusWrites } from './service-statuses.ts';
import { shareReads, shareWrites } from './shares.ts';
import { statisticsReads } from './statistics.ts';
import { takenUpdateReads, takenUpdateWrites } from './taken-updates.ts';
import { transferReads, transferWrites } from './transfers.ts';
import { tsigKeyReads, tsigKeyWrites } from './tsig-keys.ts';
import { projectReads, projectWrites } from './usage/projects.ts';
import { usageReads, usageWrites } from './usage/usage.ts';
import { verificationReads, verificationWrites } from './verification/verification.ts';
import { webhookReads, webhookWrites } from './webhooks.ts';
import { zoneTaskReads, zoneTaskWrites } from './zone-tasks.ts';
import { zoneReads, zoneWrites } from './zones/zones.ts';

/**
 * Runs a part of a transaction in a savepoint: if it fails, both databases undo its changes and release its locks.
 * Each savepoint has its own name: rolling back to one from before a failed statement would hide the failure.
 */
function savepointOn({ now: db, later }: OpenTransaction): Transaction['savepoint'] {
  let parts = 0;
  return async (part) => {
    const say = (statement: string) => later(sql.raw(statement).compile(db));
    const name = `part_${++parts}`;
    say(`savepoint ${name}`);
    try {
      return await part();
    } catch (error) {
      say(`rollback to savepoint ${name}`);
      throw error;
    } finally {
      say(`release savepoint ${name}`);
    }
  };
}

type StoredResources = typeof resources;
type StoredReads = { readonly [N in keyof StoredResources]: ReturnType<StoredResources[N]['reads']> };

function resourceReads(database: Database): StoredReads {
  const made = Object.entries(resources).map(([name, { reads }]) => [name, reads(database)] as const);
  return Object.fromEntries(made) as StoredReads;
}

type WritesOf<W> = (tx: OpenTransaction, beforeCommit: BeforeCommit) => W;
type WritesByName<T = Transaction> = { readonly [N in keyof T]: WritesOf<T[N]> };
type ResourceWritesByName = { readonly [N in keyof StoredResources]: StoredResources[N]['writes'] };

const RESOURCE_WRITES = Object.fromEntries(
  Object.entries(resources).map(([name, { writes }]) => [name, writes] as const),
) as ResourceWritesByName;

const WRITES: WritesByName = {
  savepoint: savepointOn,
  blacklists: blacklistWrites,
  blacklistLists: blacklistListWrites,
  zones: zoneWrites,
  recordsets: recordsetWrites,
  planning: planningWrites,
  guardrails: ({ now }) => guardrailReads(now),
  targetIndex: targetIndexWrites,
  pools: poolWrites,
  previews: previewWrites,
  projects: projectWrites,
  publications: publicationWrites,
  history: historyWrites,
  deletedZones: deletedZoneWrites,
  leases: leaseWrites,
  secondaries: secondaryWrites,
  zoneTasks: zoneTaskWrites,
  verification: ({ now }) => verificationWrites(now),
  serviceStatuses: serviceStatusWrites,
  shares: shareWrites,
  transfers: transferWrites,
  ...RESOURCE_WRITES,
  takenUpdates: takenUpdateWrites,
  tsigKeys: tsigKeyWrites,
  apiTokens: apiTokenWrites,
  idempotencyKeys: idempotencyKeyWrites,
  events: eventWrites,
  usage: usageWrites,
  webhooks: webhookWrites,
};

/** Makes each part of a transaction when it is first used: most transactions need few of them. */
class LazyWrites {
  readonly tx: OpenTransaction;
  readonly beforeCommit: BeforeCommit;
  readonly made: Record<string, unknown> = {};

  constructor(tx: OpenTransaction, beforeCommit: BeforeCommit) {
    this.tx = tx;
    this.beforeCommit = beforeCommit;
  }
}
for (const [name, writesOf] of Object.entries(WRITES)) {
  Object.defineProperty(LazyWrites.prototype, name, {
    get(this: LazyWrites) {
      this.made[name] ??= writesOf(this.tx, this.beforeCommit);
      return this.made[name];
    },
  });
}

function writes(tx: OpenTransaction, beforeCommit: BeforeCommit): Transaction {
  return new LazyWrites(tx, beforeCommit) as unknown as Transaction;
}

type TransactionMeter = Pick<MetricsRecorder, 'transactionEnded'>;

function isRefusal(error: unknown): boolean {
  return error instanceof NothingWritten || (error instanceof DomainError && !isStorageFailure(error));
}

/** Runs one transaction, and records its outcome and duration, retries included. */
async function measured<T>(meter: TransactionMeter, run: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const ended = (outcome: Parameters<MetricsRecorder['transactionEnded']>[0]) =>
    meter.transactionEnded(outcome, (performance.now() - begun) / 1000);
  try {
    const result = await run();
    ended('committed');
    return result;
  } catch (error) {
    ended(isRefusal(error) ? 'refused' : 'failed');
    throw error;
  }
}

/** The store on top of a database. */
export function storeOver(database: Database, meter: TransactionMeter = NO_METRICS): Store {
  const { reader } = database;
  return {
    blacklists: blacklistReads(database),
    blacklistLists: blacklistListReads(database),
    zones: zoneReads(database),
    recordsets: recordsetReads(database),
    planning: planningSnapshots(database),
    targetIndex: targetIndexReads(reader),
    pools: poolReads(database),
    previews: previewReads(database),
    projects: projectReads(reader),
    publications: publicationReads(database),
    history: historyReads(database),
    deletedZones: deletedZoneReads(database),
    secondaries: secondaryReads(reader),
    zoneTasks: zoneTaskReads(database),
    serviceStatuses: serviceStatusReads(database),
    shares: shareReads(database),
    transfers: transferReads(database),
    ...resourceReads(database),
    takenUpdates: takenUpdateReads(reader),
    tsigKeys: tsigKeyReads(database),
    apiTokens: apiTokenReads(database),
    idempotencyKeys: idempotencyKeyReads(reader),
    events: eventReads(database),
    statistics: statisticsReads(database),
    usage: usageReads(database),
    metrics: metricsReads(database),
    webhooks: webhookReads(database),
    nameIndex: database.nameIndex,
    recordsetIndexes: database.recordsetIndexes,
    transaction: (work, projectId) =>
      measured(meter, () =>
        database.transaction(async (tx) => {
          const last: (() => Promise<void>)[] = [];
          const result = await work(writes(tx, (step) => void last.push(step)));
          for (const step of last) await step();
          return result;
        }, projectId),
      ),
    snapshot: (work) => database.snapshot((db) => work(verificationReads(db))),
    fileFaults: () => database.fileFaults(),
    writeState: () => database.writeState(),
    endCheck: () => database.endCheck(),
    close: () => database.close(),
  };
}
