import type { RequestListener } from 'node:http';
import type { Config } from '../config/options.ts';
import { logSink } from '../domain/events/log-sink.ts';
import { storeMetrics } from '../domain/metrics/store-metrics.ts';
import { withoutKnownDamage, withoutRepeatedErrors } from '../domain/repeated-errors.ts';
import { TokenUses } from '../domain/tokens/token-uses.ts';
import { useCasesOver } from '../domain/use-cases.ts';
import { type ApiSettings, buildApi } from '../http/app.ts';
import { ApiLoad } from '../http/edge/api-load.ts';
import { PerAddress } from '../http/edge/per-address.ts';
import { routesOf } from '../http/routes.ts';
import { ensureFirstToken } from '../identity/first-token.ts';
import { patternLanguage } from '../matcher/language.ts';
import { PatternChecker } from '../matcher/pattern-checker.ts';
import { PatternScanner } from '../matcher/scan/pattern-scanner.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Policy } from '../model/access/policy.ts';
import { systemClock } from '../model/clock.ts';
import type { Event as Happened } from '../model/event-types/event.ts';
import type { Store } from '../model/store.ts';
import { policyReader } from '../policy/read-policy.ts';
import { Jobs } from '../runtime/jobs.ts';
import type { Log } from '../runtime/log.ts';
import { untilReached } from '../storage/database/waiting.ts';
import { openEventKeys } from '../storage/events/event-keys.ts';
import { openStore, openToOthers } from '../storage/open.ts';
import { prepareDataDir, takeLock } from './data-dir.ts';
import { consoleOf, openSockets, routeSettings, type Sockets } from './http-sockets.ts';
import { advertisedKeystone, type Identities, openIdentities } from './identity-providers.ts';
import { startJobs, stopParts } from './jobs.ts';
import { startPublishing, wakesPublication } from './publication.ts';
import { domainSettings, eventKeySettings, storageSettings } from './settings.ts';
import { receiversOf } from './webhook-config.ts';

export interface RunningService {
  readonly url: string;
  /** The URL of the metrics, if they have their own address. */
  readonly metricsUrl: string | undefined;
  /** True if a pool had name servers at startup. */
  readonly publishes: boolean;
  /** Finishes requests in flight, then releases everything. */
  stop(): Promise<void>;
}

function apiSettings(config: Config): ApiSettings {
  const accessDeniedStatus = Number(config.accessDeniedStatus);
  const keystoneUrl = advertisedKeystone(config);
  return { ...config, accessDeniedStatus, keystoneUrl, allowedOrigins: config.corsAllowedOrigin };
}

interface Assembled {
  readonly publishes: boolean;
  readonly listener: RequestListener;
  /** What runs in the background, in the order in which it is stopped. */
  readonly beside: readonly { stop(): Promise<void> }[];
}

async function assemble(
  config: Config,
  log: Log,
  parts: {
    store: Store;
    policy: Policy;
    index: PatternChecker;
    scanner: PatternScanner;
    identities: Identities;
    meter: Metrics;
    uses: TokenUses;
  },
): Promise<Assembled> {
  const { store, meter } = parts;
  const clock = systemClock();
  const settings = domainSettings(config);
  let notify = (_event: Happened) => {};
  const sinks = [logSink(log), (event: Happened) => notify(event)];
  const eventKeys = openEventKeys(eventKeySettings(config));
  // Fail at startup if the event key or a webhook's secrets cannot be read.
  eventKeys.current();
  const receivers = receiversOf(config);
  const useCases = useCasesOver({
    ...parts,
    clock,
    log,
    sinks,
    eventKeys,
    language: patternLanguage,
    settings,
    newFilter: () => new PatternChecker(),
    projects: parts.identities.projects,
  });
  await useCases.poolJobs.adoptOption();
  const tokenFile = await ensureFirstToken(store, config.dataDir, clock.now());
  if (tokenFile !== undefined) log.info({ file: tokenFile }, 'wrote the first admin token');
  const removal = useCases.idempotencyKeys.removeExpired();
  if (store.writeState() === 'open') await removal;
  await useCases.deliveries.begin(receivers);
  const failures = new PerAddress(config.failedTokensPerSecond);
  const { authenticator, login } = parts.identities;
  const api = await buildApi({
    log,
    idempotencyKeys: useCases.idempotencyKeys,
    settings: apiSettings(config),
    access: { access: useCases.access, rates: useCases.writeRates, failures, authenticator },
    routes: routesOf(useCases, { ...routeSettings(config, meter), login, failures }),
    console: consoleOf(config, log),
    meter,
    writeState: store.writeState,
  });
  const load = new ApiLoad();
  const isBusy = () => load.isBusy;
  const jobs = new Jobs({ log, clock, meter, isBusy });
  const publishing = await startPublishing({ jobs, store, useCases, clock, log, meter, isBusy }, config);
  const { quotas, maxZoneSize } = settings;
  const metrics = storeMetrics({ store, clock, quotas, maxZoneSize });
  const { eventCommitted } = startJobs(
    jobs,
    { store, clock, log, useCases, storeMetrics: metrics, receivers, uses: parts.uses },
    config,
  );
  notify = (event) => {
    eventCommitted();
    if (wakesPublication(event)) publishing.wake();
  };
  meter.watch({
    index: () => useCases.checker.present,
    store: metrics,
    webhooks: receivers.map(({ name }) => name),
  });
  return {
    publishes: publishing.publishes,
    listener: load.measured(api),
    beside: [useCases.blacklistImports, jobs, publishing],
  };
}

/** Inputs of a start. */
interface StartParts {
  readonly sockets: Sockets;
  readonly config: Config;
  readonly log: Log;
  readonly policy: Policy;
  readonly meter: Metrics;
}

/** A serving store and API, until they are released. */
interface Serving {
  readonly publishes: boolean;
  release(): Promise<void>;
}

async function serveOn({ sockets, config, log, policy, meter }: StartParts): Promise<Serving> {
  const store = await openStore(storageSettings(config), true, meter, log);
  const index = new PatternChecker(
    async (number) => (await store.blacklists.findByNumber(number))?.pattern,
    undefined,
    (steps) => meter.longCheckEnded(steps),
  );
  const scanner = new PatternScanner();
  const uses = new TokenUses();
  const identities = openIdentities(config, store.apiTokens, uses);
  const release = async () => {
    identities.close();
    await index.close();
    await scanner.close();
    await store.close();
  };
  try {
    const parts = { store, policy, index, scanner, identities, meter, uses };
    const { publishes, listener, beside } = await assemble(config, log, parts);
    sockets.api.serve(listener);
    return {
      publishes,
      async release() {
        await stopParts(beside, store);
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Serves once the store can be reached; until then the socket answers "starting". */
async function serveWhenReached(beginning: StartParts, signal: AbortSignal): Promise<Serving> {
  const { config, log } = beginning;
  signal.throwIfAborted();
  const ready = untilReached(() => serveOn(beginning), {
    ms: config.startTimeout * 1000,
    signal,
    onWait: (reason) => log.warn({ reason }, 'waiting for the database'),
  });
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([ready, stopped]).catch((error: unknown) => {
    // An aborted start lets its current attempt finish, which may be a migration.
    if (signal.aborted)
      void ready.then(
        (serving) => serving.release(),
        () => {},
      );
    throw error;
  });
}

/**
 * Starts the service: locks the data folder, opens the sockets (the API answers "starting"), then opens the store,
 * the blacklist index and the API. Waits for a store that cannot be reached.
 * @param signal aborts the start at once
 * @throws ConfigError, PolicyError, StorageOpenError or the system's error, each with one line to show; the signal's
 * reason
 */
export async function startService(
  config: Config,
  log: Log,
  signal: AbortSignal = new AbortController().signal,
): Promise<RunningService> {
  const policy = (await policyReader(config.policyFile))();
  prepareDataDir(config);
  const unlock = takeLock(config);
  try {
    const meter = new Metrics();
    const sockets = await openSockets(config, meter);
    const lines = withoutRepeatedErrors(withoutKnownDamage(log));
    const beginning = { sockets, config, log: lines, policy, meter };
    const serving = await serveWhenReached(beginning, signal).catch(async (error: unknown) => {
      await sockets.drain();
      throw error;
    });
    // Only now: a service that fails to start prints exactly one line.
    for (const path of openToOthers(config.dataDir)) {
      log.warn({ path }, 'other users have access to this path: remove it with chmod go=');
    }
    if (policy.idle.length > 0) {
      log.info({ rules: policy.idle }, 'the policy file has rules that guard nothing here');
    }
    const stop = async () => {
      await sockets.drain();
      await serving.release();
      lines.flush();
      unlock();
    };
    const { publishes } = serving;
    return { url: sockets.api.url, metricsUrl: sockets.metrics?.url, publishes, stop };
  } catch (error) {
    unlock();
    throw error;
  }
}
