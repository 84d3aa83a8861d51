/** Composition root of the work beside the requests. */
import { hostname } from 'node:os';
import { startNameIndexWork } from '../background/name-index-work.ts';
import { startPreviewWork } from '../background/preview-work.ts';
import type { Config } from '../config/options.ts';
import { startHeartbeats } from '../domain/service-statuses/heartbeats.ts';
import { startUsagePasses } from '../domain/usage/usage-passes.ts';
import type { UseCases } from '../domain/use-cases.ts';
import type { Clock } from '../model/clock.ts';
import { partsOf } from '../model/service-statuses/service-status.ts';
import type { Store } from '../model/store.ts';
import type { Log } from '../runtime/log.ts';
import { domainSettings } from './settings.ts';

export interface Passes {
  /** Ends after the steps that are under way. */
  stop(): Promise<void>;
}

/** Starts heartbeats, the look at what projects use, the index of zone names, and previews. */
export function startPasses(
  deps: {
    readonly store: Store;
    readonly clock: Clock;
    readonly log: Log;
    readonly useCases: Pick<UseCases, 'previews' | 'previewRuns' | 'hits'>;
  },
  config: Config,
): Passes {
  const { quotas: defaults, maxZoneSize } = domainSettings(config);
  const { previews, previewRuns, hits } = deps.useCases;
  const process = { hostname: hostname(), parts: partsOf(config.mdnsListen.length > 0) };
  const heartbeats = startHeartbeats(deps, process);
  const usage = startUsagePasses({ ...deps, defaults, maxZoneSize });
  const nameIndex = startNameIndexWork(deps);
  const work = startPreviewWork(previewRuns, deps.log);
  previews.watch(() => work.wake());
  return {
    async stop() {
      await nameIndex.stop();
      await work.stop();
      await usage.stop();
      await heartbeats.stop();
      await hits.stop();
    },
  };
}

/**
 * Stops the parts of a service one after the other. While a check of the store holds back changes, it ends the check and stops them
 * together: each knows that it stops before its change fails.
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
