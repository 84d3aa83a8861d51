/** Composition root for background jobs. */
import { hostname } from 'node:os';
import type { Config } from '../config/options.ts';
import { blacklistIndexJob } from '../domain/blacklists/index-job.ts';
import { deletedZoneJob } from '../domain/deleted-zones/deleted-zone-job.ts';
import { eventJobs } from '../domain/events/event-jobs.ts';
import { targetIndexJob } from '../domain/guardrails/target-index-job.ts';
import { historyJob } from '../domain/history/history-job.ts';
import type { StoreMetrics } from '../domain/metrics/store-metrics.ts';
import { previewJob } from '../domain/previews/preview-job.ts';
import { heartbeatJob } from '../domain/service-statuses/heartbeats.ts';
import { type TokenUses, tokenUsesJob } from '../domain/tokens/token-uses.ts';
import { usageJob } from '../domain/usage/usage-job.ts';
import type { UseCases } from '../domain/use-cases.ts';
import { indexJobs } from '../domain/zones/index-jobs.ts';
import type { Clock } from '../model/clock.ts';
import { type JobReport, partsOf, type ServiceName } from '../model/service-statuses/service-status.ts';
import type { Store } from '../model/store.ts';
import type { Jobs } from '../runtime/jobs.ts';
import type { Log } from '../runtime/log.ts';
import { webhookJob } from '../webhooks/deliverer.ts';
import type { Receiver } from '../webhooks/settings.ts';
import { domainSettings } from './settings.ts';

export interface JobParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly useCases: UseCases;
  readonly storeMetrics: StoreMetrics;
  readonly receivers: readonly Receiver[];
  readonly uses: TokenUses;
}

/** Jobs that Designate's worker would run; its producer has the others. */
const WORKER_JOBS: readonly string[] = ['publication', 'secondaries'];

function jobsOf({ stats }: Jobs, part: ServiceName): Readonly<Record<string, JobReport>> {
  if (part !== 'worker' && part !== 'producer') return {};
  const isWorker = part === 'worker';
  const own = [...stats].filter(([name]) => WORKER_JOBS.includes(name) === isWorker);
  return Object.fromEntries(
    own.map(([name, { lastSuccessAt = null, lastMs = null, ...counts }]) => [
      name,
      { ...counts, lastSuccessAt, lastMs },
    ]),
  );
}

/**
 * Starts every job except those of publication.
 * @returns a callback to call after an event is committed
 */
export function startJobs(
  jobs: Jobs,
  parts: JobParts,
  config: Config,
): { readonly eventCommitted: () => void } {
  const { store, useCases, storeMetrics, receivers } = parts;
  const { previewRuns, previews, hits, poolJobs } = useCases;
  const { quotas: defaults, maxZoneSize, history, deletedZoneDays } = domainSettings(config);
  const events = eventJobs({ ...parts, sealing: useCases.sealing, flushRefusals: useCases.flushRefusals });
  const process = {
    hostname: hostname(),
    parts: partsOf(config.mdnsListen.length > 0),
    jobs: (part: ServiceName) => jobsOf(jobs, part),
  };

  jobs.start(blacklistIndexJob(useCases.checker));
  for (const job of [poolJobs.reorder, poolJobs.renewApexes]) jobs.start(job);
  for (const job of [useCases.blacklistExpiry, useCases.blacklistLists.upkeep]) jobs.start(job);
  for (const job of indexJobs({ ...parts, store })) jobs.start(job);
  jobs.start(targetIndexJob({ ...parts, store }));
  jobs.start(usageJob({ ...parts, defaults, maxZoneSize }));
  jobs.start(historyJob({ ...parts, history }));
  jobs.start(deletedZoneJob({ ...parts, deletedZoneDays }));
  jobs.start(useCases.expiry);
  jobs.start(tokenUsesJob(parts));
  jobs.start(previewJob(previewRuns, previews.wakeup, parts.log));
  jobs.start(storeMetrics.job);
  if (receivers.length > 0) jobs.start(webhookJob({ ...parts, deliveries: useCases.deliveries }, receivers));
  jobs.start(hits.job);
  // The order matters when jobs finish: refusals are events, and the last heartbeat reports the process as DOWN.
  jobs.start(events.refusals);
  const sealing = jobs.start(events.sealing);
  jobs.start(events.removal);
  jobs.start(heartbeatJob(parts, process));
  return { eventCommitted: () => sealing.wake() };
}

/**
 * Stops the parts of a service in order. If a store check is holding back changes, ends the check and stops all parts
 * at once, so that each knows it is stopping before its change fails.
 */
export async function stopParts(
  parts: readonly { stop(): Promise<void> }[],
  store: Pick<Store, 'writeState' | 'endCheck'>,
): Promise<void> {
  if (store.writeState() === 'checking') {
    const stopping = parts.map((part) => part.stop());
    store.endCheck();
    await Promise.all(stopping);
    return;
  }
  for (const part of parts) await part.stop();
}
