import { sql } from 'kysely';
import { DomainError, isStorageTrouble } from '../model/errors.ts';
import { type MetricsRecorder, NO_METRICS } from '../model/metrics/metrics-recorder.ts';
import { NothingWritten, type Store, type Transaction } from '../model/store.ts';
import { apiTokenReads, apiTokenWrites } from './api-tokens.ts';
import { blacklistListReads, blacklistListWrites } from './blacklist-lists/blacklist-lists.ts';
import { blacklistReads, blacklistWrites } from './blacklists/blacklists.ts';
import type { BeforeCommit, Database, OpenTransaction } from './database/database.ts';
import { eventReads, eventWrites } from './events/events.ts';
import { idempotencyKeyReads, idempotencyKeyWrites } from './idempotency-keys.ts';
import { leaseWrites } from './leases.ts';
import { figureReads } from './metrics.ts';
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
function apartOn({ now: db, later }: OpenTransaction): Transaction['savepoint'] {
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
type StoredWrites = { readonly [N in keyof StoredResources]: ReturnType<StoredResources[N]['writes']> };

function resourceReads(database: Database): StoredReads {
  const made = Object.entries(resources).map(([name, { reads }]) => [name, reads(database)] as const);
  return Object.fromEntries(made) as StoredReads;
}

function resourceWrites(tx: OpenTransaction, beforeCommit: BeforeCommit): StoredWrites {
  const made = Object.entries(resources).map(
    ([name, part]) => [name, part.writes(tx, beforeCommit)] as const,
  );
  return Object.fromEntries(made) as StoredWrites;
}

function writes(tx: OpenTransaction, beforeCommit: BeforeCommit): Transaction {
  return {
    savepoint: apartOn(tx),
    blacklists: blacklistWrites(tx, beforeCommit),
    blacklistLists: blacklistListWrites(tx, beforeCommit),
    zones: zoneWrites(tx),
    recordsets: recordsetWrites(tx),
    pools: poolWrites(tx),
    previews: previewWrites(tx),
    projects: projectWrites(tx),
    publications: publicationWrites(tx),
    leases: leaseWrites(tx),
    secondaries: secondaryWrites(tx),
    zoneTasks: zoneTaskWrites(tx),
    verification: verificationWrites(tx.now),
    serviceStatuses: serviceStatusWrites(tx),
    shares: shareWrites(tx),
    transfers: transferWrites(tx),
    ...resourceWrites(tx, beforeCommit),
    tsigKeys: tsigKeyWrites(tx),
    apiTokens: apiTokenWrites(tx),
    idempotencyKeys: idempotencyKeyWrites(tx),
    events: eventWrites(tx),
    usage: usageWrites(tx),
    webhooks: webhookWrites(tx),
  };
}

type TransactionMeter = Pick<MetricsRecorder, 'transactionEnded'>;

function isRefusal(error: unknown): boolean {
  return error instanceof NothingWritten || (error instanceof DomainError && !isStorageTrouble(error));
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
    pools: poolReads(database),
    previews: previewReads(database),
    projects: projectReads(reader),
    publications: publicationReads(database),
    secondaries: secondaryReads(reader),
    zoneTasks: zoneTaskReads(database),
    serviceStatuses: serviceStatusReads(database),
    shares: shareReads(database),
    transfers: transferReads(database),
    ...resourceReads(database),
    tsigKeys: tsigKeyReads(database),
    apiTokens: apiTokenReads(database),
    idempotencyKeys: idempotencyKeyReads(reader),
    events: eventReads(database),
    statistics: statisticsReads(database),
    usage: usageReads(database),
    metrics: figureReads(database),
    webhooks: webhookReads(database),
    nameIndex: database.nameIndex,
    transaction: (work) =>
      measured(meter, () =>
        database.transaction(async (tx) => {
          const last: (() => Promise<void>)[] = [];
          const result = await work(writes(tx, (step) => void last.push(step)));
          for (const step of last) await step();
          return result;
        }),
      ),
    snapshot: (work) => database.snapshot((db) => work(verificationReads(db))),
    fileFaults: () => database.fileFaults(),
    writeState: () => database.writeState(),
    endCheck: () => database.endCheck(),
    close: () => database.close(),
  };
}
