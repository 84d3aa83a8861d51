/** Composition root for the HTTP sockets. */
import { ConfigError } from '../config/load.ts';
import type { Config } from '../config/options.ts';
import { type ConsoleFiles, readConsole } from '../http/console/files.ts';
import { type OpenServer, openServer, type ServerSettings } from '../http/edge/server.ts';
import { metricsListener } from '../http/metrics.ts';
import type { RouteSettings } from '../http/routes.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Log } from '../runtime/log.ts';

/** Few clients read metrics, so their own socket needs few connections. */
const MAX_METRICS_CONNECTIONS = 64;

export interface Sockets {
  /** Answers "starting" until it is given a listener. */
  readonly api: OpenServer;
  /** Answers from the start; undefined if the API serves the metrics. */
  readonly metrics: OpenServer | undefined;
  /** Closes the sockets after requests in flight are answered, the metrics last. */
  drain(): Promise<void>;
}

function settingsOf(config: Config): Omit<ServerSettings, 'host' | 'port'> {
  return {
    maxHeaderSize: config.maxHeaderSize,
    maxConnections: config.maxConnections,
    maxConnectionsPerClient: config.maxConnectionsPerClient,
    trustedProxies: config.trustedProxies,
    headerTimeout: Math.min(config.headerTimeout, config.requestTimeout) * 1000,
    requestTimeout: config.requestTimeout * 1000,
    sendTimeout: config.sendTimeout * 1000,
    keepAliveTimeout: config.keepAliveTimeout * 1000,
  };
}

/** @throws ConfigError if the address cannot be used */
async function open(option: string, settings: ServerSettings): Promise<OpenServer> {
  try {
    return await openServer(settings);
  } catch (error) {
    throw new ConfigError(
      `${option}: cannot listen on the address: ${(error as Error).message}. Use another one, or stop the program that uses it.`,
      { cause: error },
    );
  }
}

async function openMetrics(config: Config, metrics: Metrics): Promise<OpenServer | undefined> {
  const { metricsListen } = config;
  if (metricsListen === undefined) return undefined;
  const settings = { ...settingsOf(config), ...metricsListen, maxConnections: MAX_METRICS_CONNECTIONS };
  const server = await open('[metrics] listen', settings);
  server.serve(metricsListener(metrics));
  return server;
}

/** @throws ConfigError if an address cannot be used */
export async function openSockets(config: Config, metrics: Metrics): Promise<Sockets> {
  const metricsServer = await openMetrics(config, metrics);
  const refused = (kind: string) => metrics.requestRefused(kind);
  const connectionRejected = (reason: string) => metrics.connectionClosed(reason);
  const settings = { ...settingsOf(config), ...config.listen, refused, connectionRejected };
  const api = await open('[service:api] listen', settings).catch(async (error: unknown) => {
    await metricsServer?.drain();
    throw error;
  });
  return {
    api,
    metrics: metricsServer,
    async drain() {
      await api.drain();
      await metricsServer?.drain();
    },
  };
}

/** Where the build puts the web console: beside this file. */
const CONSOLE = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/current/console/' : './console/',
  import.meta.url,
);

/** Reads the web console, unless it is disabled. */
export function consoleOf({ console: isServed, publicUrl }: Config, log: Log): ConsoleFiles | undefined {
  if (!isServed) return undefined;
  const files = readConsole(CONSOLE, publicUrl);
  if (files === undefined)
    log.warn({ folder: CONSOLE.pathname }, 'the console is not built: run "npm run build"');
  return files;
}

/** The options of the routes. The API serves the metrics if they have no socket. */
export function routeSettings(config: Config, metrics: Metrics): Omit<RouteSettings, 'failures'> {
  return {
    ...config,
    pages: { default: config.defaultLimit, max: config.maxLimit },
    accessDeniedStatus: Number(config.accessDeniedStatus),
    isV1Enabled: config.extensionsV1.includes('quotas'),
    metrics: config.metricsListen === undefined ? metrics : undefined,
  };
}
