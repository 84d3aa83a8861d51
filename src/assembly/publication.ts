import { ConfigError } from '../config/load.ts';
import type { Config } from '../config/options.ts';
import type { UseCases } from '../domain/use-cases.ts';
import type { Clock } from '../model/clock.ts';
import type { Event } from '../model/event-types/event.ts';
import type { MetricsRecorder } from '../model/metrics/metrics-recorder.ts';
import { type Pool, publishes, publishesPlaceholder } from '../model/pools/pool.ts';
import type { Store } from '../model/store.ts';
import type { PrimaryDeps } from '../publisher/primary/primary.ts';
import { openPrimary, type Primary } from '../publisher/primary/primary.ts';
import { startSecondaryWorker } from '../publisher/secondary/secondary-worker.ts';
import { secondarySettings } from '../publisher/secondary/settings.ts';
import { workerSettings } from '../publisher/worker/settings.ts';
import { startWorker } from '../publisher/worker/worker.ts';
import type { Jobs } from '../runtime/jobs.ts';
import type { Log } from '../runtime/log.ts';
import { primarySettings, secondaryOptions, workerOptions } from './settings.ts';

export interface Publishing {
  /** True if a pool had name servers at startup. */
  readonly publishes: boolean;
  /** Checks for zones to publish soon. */
  wake(): void;
  /** Stops the hidden primary. Stop the jobs first. */
  stop(): Promise<void>;
}

export interface PublishingDeps {
  readonly jobs: Jobs;
  readonly store: Store;
  readonly useCases: Pick<UseCases, 'orderEnds' | 'publications' | 'secondaries' | 'updates'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: MetricsRecorder;
  /** True while requests are waiting; publication then yields to them. */
  isBusy(): boolean;
}

/** True if the event may leave something to publish. */
export function wakesPublication({ type }: Event): boolean {
  return type.startsWith('zone.') || type.startsWith('recordset.') || type.startsWith('pool.');
}

/**
 * Stores what transfers report, whatever happens to the connection. If the store fails, publication only learns of it
 * later.
 */
function transferNotes({ useCases, log }: PublishingDeps): Pick<PrimaryDeps, 'completed' | 'failed'> {
  const kept = (work: Promise<void>) =>
    work.catch((err: unknown) => log.warn({ err }, 'cannot store the result of a transfer'));
  return {
    completed: ({ zoneId, server, serial }) =>
      void kept(useCases.publications.transferCompleted(zoneId, server, serial)),
    failed: (zoneId, reason) => void kept(useCases.publications.transferFailed(zoneId, reason)),
  };
}

function openHiddenPrimary(
  deps: PublishingDeps,
  config: Config,
  due: () => void,
): Promise<Primary> | undefined {
  const settings = primarySettings(config);
  if (settings.listen.length === 0) return undefined;
  const { store, clock, log } = deps;
  const { publications: publication, pools, tsigKeys } = store;
  const { updates, secondaries } = deps.useCases;
  const { notified } = secondaries;
  const primary = openPrimary(
    { publication, pools, tsigKeys, updates, clock, log, notified, due, ...transferNotes(deps) },
    settings,
  );
  return primary.catch((error: unknown) => {
    throw new ConfigError(
      `[service:mdns] listen: cannot listen on an address: ${(error as Error).message}. Use another one, or stop the program that uses it.`,
      { cause: error },
    );
  });
}

/** Pools may have been set up this way before `pool apply` refused it, or by the API. */
function warnOfPlaceholder(pools: readonly Pool[], { nsRecords }: Config, log: Log): void {
  for (const { name } of pools.filter((pool) => publishesPlaceholder(pool, nsRecords))) {
    log.warn(
      { pool: name },
      'zones are published with the NS ns1.invalid., which no resolver can follow: set ns_records in the pool or in [DEFAULT]',
    );
  }
}

/** Maximum number of zones listed at startup. */
const MAX_LISTED = 100;

/** The option or its default may have changed since the masters were set. Their zones keep their data. */
async function warnOfRefusedMasters({ useCases, log }: PublishingDeps, signal: AbortSignal): Promise<void> {
  let zones = 0;
  try {
    for await (const { name, reason } of useCases.secondaries.withRefusedMasters()) {
      if (signal.aborted) return;
      zones += 1;
      if (zones <= MAX_LISTED)
        log.warn({ zone: name, reason }, 'a secondary zone has a master that is not allowed');
    }
    if (zones > MAX_LISTED)
      log.warn(
        { zones },
        'secondary zones have masters that are not allowed: "zonewarden verify" lists them all',
      );
  } catch (err) {
    log.warn({ err }, 'cannot check for secondary zones with masters that are not allowed');
  }
}

/**
 * Starts the transfer of zones to name servers and from masters: the hidden primary, if it has an address, and the
 * workers.
 * @throws ConfigError if an address cannot be used
 */
export async function startPublishing(deps: PublishingDeps, config: Config): Promise<Publishing> {
  const { jobs, store, useCases, clock, log, meter, isBusy } = deps;
  const present = await store.pools.all();
  warnOfPlaceholder(present, config, log);
  let due = () => {};
  const primary = await openHiddenPrimary(deps, config, () => due());
  const { publications: publication, pools, tsigKeys } = store;
  const worker = startWorker(
    jobs,
    {
      store,
      publication,
      pools,
      tsigKeys,
      clock,
      log,
      meter,
      busy: isBusy,
      finish: useCases.orderEnds.finish,
    },
    workerSettings(workerOptions(config)),
  );
  const transfers = startSecondaryWorker(
    jobs,
    { secondaries: useCases.secondaries, log, busy: isBusy },
    secondarySettings(secondaryOptions(config)),
  );
  due = () => transfers.wake();
  const warned = warnOfRefusedMasters(deps, jobs.signal);
  return {
    publishes: present.some(publishes),
    wake: () => worker.wake(),
    async stop() {
      await warned;
      await primary?.stop();
    },
  };
}
