import type { RequestListener } from 'node:http';
import { hostname } from 'node:os';
import { type EventKeeping, startEventKeeping } from './background/event-keeping.ts';
import { ConfigError } from './config/load.ts';
import type { Config } from './config/options.ts';
import type { Policy } from './domain/access/policy.ts';
import type { HitCounter } from './domain/blacklists/hit-counter.ts';
import { systemClock } from './domain/clock.ts';
import type { Event as Happened } from './domain/events/event.ts';
import { logSink } from './domain/events/log-sink.ts';
import type { Log } from './domain/log.ts';
import { withoutRepeatedErrors } from './domain/repeated-errors.ts';
import { startHeartbeats } from './domain/service-statuses/heartbeats.ts';
import { partsOf } from './domain/service-statuses/service-status.ts';
import type { Store } from './domain/store.ts';
import { startUsagePasses } from './domain/usage/usage-passes.ts';
import { useCasesOver } from './domain/use-cases.ts';
import { ApiLoad } from './http/api-load.ts';
import { type ApiSettings, buildApi } from './http/app.ts';
import { PerAddress } from './http/per-address.ts';
import { type RouteSettings, routesOf } from './http/routes.ts';
import { type OpenServer, openServer } from './http/server.ts';
import { advertisedKeystone, type Identities, openIdentities } from './identities.ts';
import { ensureFirstToken } from './identity/first-token.ts';
import { patternLanguage } from './matcher/language.ts';
import { PatternChecker } from './matcher/pattern-checker.ts';
import { readPolicy } from './policy/read-policy.ts';
import { type Publishing, startPublishing, wakesPublication } from './publishing.ts';
import { domainSettings, eventKeySettings, storageSettings } from './settings.ts';
import { openEventKeys } from './storage/event-keys.ts';
import { ensureDataDir, openStore, openToOthers } from './storage/open.ts';
import { lockDataDir } from './storage/sqlite/data-dir-lock.ts';
import { untilReached } from './storage/waiting.ts';

export interface RunningService {
  readonly url: string;
  /** Finishes requests in flight, then releases everything. */
  stop(): Promise<void>;
}

/** On PostgreSQL the folder only holds the first admin token: a process that does not write it needs no folder. */
function prepareDataDir({ connection, dataDir }: Config): void {
  try {
    ensureDataDir(dataDir);
  } catch (error) {
    if (connection === '') throw error;
  }
}

/** On PostgreSQL two services can share a data folder, so it has no lock. */
function takeLock(config: Config): () => void {
  return config.connection === '' ? lockDataDir(config.dataDir) : () => {};
}

function routeSettings(config: Config): RouteSettings {
  const pages = { default: config.defaultLimit, max: config.maxLimit };
  const accessDeniedStatus = Number(config.accessDeniedStatus);
  return { ...config, pages, accessDeniedStatus, isV1Enabled: config.extensionsV1.includes('quotas') };
}

function apiSettings(config: Config): ApiSettings {
  const accessDeniedStatus = Number(config.accessDeniedStatus);
  const keystoneUrl = advertisedKeystone(config);
  return { ...config, accessDeniedStatus, keystoneUrl, allowedOrigins: config.corsAllowedOrigin };
}

interface Assembled {
  readonly listener: RequestListener;
  readonly publishing: Publishing;
  readonly eventKeeping: EventKeeping;
  readonly hits: Pick<HitCounter, 'stop'>;
}

async function assemble(
  config: Config,
  log: Log,
  parts: { store: Store; policy: Policy; index: PatternChecker; identities: Identities },
): Promise<Assembled> {
  const { store } = parts;
  const clock = systemClock();
  const settings = domainSettings(config);
  let told = (_event: Happened) => {};
  const sinks = [logSink(log), (event: Happened) => told(event)];
  const eventKeys = openEventKeys(eventKeySettings(config));
  // A key that cannot be had ends the start.
  eventKeys.current();
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
  await useCases.guard.load();
  await useCases.chores.adoptOption();
  const tokenFile = await ensureFirstToken(store, config.dataDir, clock.now());
  if (tokenFile !== undefined) log.info({ file: tokenFile }, 'wrote the first admin token');
  await useCases.idempotencyKeys.removeExpired();
  const api = await buildApi({
    log,
    idempotencyKeys: useCases.idempotencyKeys,
    settings: apiSettings(config),
    access: {
      access: useCases.access,
      failures: new PerAddress(config.failedTokensPerSecond),
      authenticator: parts.identities.authenticator,
    },
    routes: routesOf(useCases, routeSettings(config)),
  });
  const load = new ApiLoad();
  const publishing = await startPublishing(
    { store, useCases, clock, log, isBusy: () => load.isBusy },
    config,
  );
  const eventKeeping = startEventKeeping({
    store,
    clock,
    log,
    sealing: useCases.sealing,
    flushRefusals: useCases.flushRefusals,
  });
  told = (event) => {
    eventKeeping.wake();
    if (wakesPublication(event)) publishing.wake();
  };
  return { listener: load.measured(api), publishing, eventKeeping, hits: useCases.hits };
}

async function serveOn(
  server: OpenServer,
  config: Config,
  log: Log,
  policy: Policy,
): Promise<() => Promise<void>> {
  const store = await openStore(storageSettings(config), true);
  const index = new PatternChecker(async (number) => (await store.blacklists.findByNumber(number))?.pattern);
  const identities = openIdentities(config, store.apiTokens);
  const release = async () => {
    identities.close();
    await index.close();
    await store.close();
  };
  try {
    const { listener, publishing, eventKeeping, hits } = await assemble(config, log, {
      store,
      policy,
      index,
      identities,
    });
    server.serve(listener);
    const process = { hostname: hostname(), parts: partsOf(config.mdnsListen.length > 0) };
    const clock = systemClock();
    const heartbeats = startHeartbeats({ store, clock, log }, process);
    const { quotas: defaults, maxZoneSize } = domainSettings(config);
    const usage = startUsagePasses({ store, clock, log, defaults, maxZoneSize });
    return async () => {
      await publishing.stop();
      await eventKeeping.stop();
      await usage.stop();
      await heartbeats.stop();
      await hits.stop();
      await release();
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Serves as soon as the store can be reached; until then the socket answers "starting". */
async function serveWhenReached(
  server: OpenServer,
  config: Config,
  log: Log,
  policy: Policy,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  signal.throwIfAborted();
  const ready = untilReached(() => serveOn(server, config, log, policy), {
    ms: config.startTimeout * 1000,
    signal,
    onWait: (reason) => log.warn({ reason }, 'waiting for the database'),
  });
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([ready, stopped]).catch((error: unknown) => {
    // A start that is left finishes the attempt that is under way, which may be a migration.
    if (signal.aborted)
      void ready.then(
        (release) => release(),
        () => {},
      );
    throw error;
  });
}

/** @throws ConfigError where the address cannot be had */
async function listen(config: Config): Promise<OpenServer> {
  try {
    return await openServer({
      ...config.listen,
      maxHeaderSize: config.maxHeaderSize,
      maxConnections: config.maxConnections,
      requestTimeout: config.requestTimeout * 1000,
      sendTimeout: config.sendTimeout * 1000,
      keepAliveTimeout: config.keepAliveTimeout * 1000,
    });
  } catch (error) {
    throw new ConfigError(
      `[service:api] listen: the address cannot be used: ${(error as Error).message}. Name another one, or stop what uses it.`,
      { cause: error },
    );
  }
}

/**
 * Starts the service: the lock of the data folder, then the socket, which answers "starting", then the store, the
 * blacklist index and the API. Waits for a store that cannot be reached.
 * @param signal leaves the start at once
 * @throws ConfigError, PolicyError, StorageOpenError or the system's error, each with one line to show; the signal's reason
 */
export async function startService(
  config: Config,
  log: Log,
  signal: AbortSignal = new AbortController().signal,
): Promise<RunningService> {
  const policy = readPolicy(config.policyFile);
  prepareDataDir(config);
  const unlock = takeLock(config);
  try {
    const server = await listen(config);
    const lines = withoutRepeatedErrors(log);
    const release = await serveWhenReached(server, config, lines, policy, signal).catch(
      async (error: unknown) => {
        await server.drain();
        throw error;
      },
    );
    // Not earlier: a service that does not start prints exactly one line.
    for (const path of openToOthers(config.dataDir)) {
      log.warn({ path }, 'users other than the owner have access to it: remove that access with chmod go=');
    }
    const stop = async () => {
      await server.drain();
      await release();
      lines.flush();
      unlock();
    };
    return { url: server.url, stop };
  } catch (error) {
    unlock();
    throw error;
  }
}
