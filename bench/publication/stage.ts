/** A service with a hidden primary, a key and a pool, on a store of its own. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storageSettings } from '../../src/assembly/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { DEFAULT_POOL_ID, type ServerAddress } from '../../src/model/pools/pool.ts';
import type { Store } from '../../src/model/store.ts';
import { openStore } from '../../src/storage/open.ts';
import { connect, expectSuccess } from '../../test/support/client.ts';
import { freePort } from '../../test/support/free-port.ts';
import type { Upstream as Known } from '../../test/support/name-servers/servers.ts';
import { startPostgres } from '../../test/support/postgres/server.ts';
import { type ServiceProcess, startServiceProcess } from '../../test/support/service-process.ts';
import type { Upstream } from './transfer.ts';

export const CATALOG = 'catalog.invalid.';
export const PROJECT = 'tenant';
export const STORES = ['sqlite', 'postgresql'] as const;
export type StoreName = (typeof STORES)[number];

/** The name of the key of the pool. */
export const KEY = 'pool-key';
const UNLIMITED = {
  ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
  ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
  ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1',
  ZONEWARDEN_DEFAULT__MAX_ZONE_SIZE: String(2 ** 30),
};

export interface Stage {
  readonly service: ServiceProcess;
  /** Of the project that creates the zones. */
  readonly token: string;
  /** The hidden primary, as the clients here and as the real servers take it. */
  readonly upstream: Upstream;
  readonly known: Known;
  readonly store: Store;
  /** Brings zones to these servers from now on; none: publishes nothing. */
  applyPool(servers: readonly ServerAddress[]): void;
  remove(): Promise<void>;
}

/** Where the stages of one run have their stores. */
export interface Backend {
  /** Arguments of the runtime of their services. */
  readonly node: readonly string[];
  environment(): Promise<Readonly<Record<string, string>>>;
  remove(): Promise<void>;
}

export async function openBackend(name: StoreName, node: readonly string[]): Promise<Backend> {
  if (name === 'sqlite') return { node, environment: async () => ({}), remove: async () => {} };
  const server = await startPostgres({ settings: { max_connections: 200 } });
  return {
    node,
    environment: async () => ({ ZONEWARDEN_STORAGE__CONNECTION: await server.createDatabase() }),
    remove: () => server.remove(),
  };
}

export const NAME_SERVER = 'ns1.example.net.';

/** A file for `pool apply`: the default pool with these servers, the catalog and the key. */
export function poolFile(servers: readonly ServerAddress[]): string {
  return JSON.stringify([
    {
      name: 'default',
      ns_records: [{ hostname: NAME_SERVER, priority: 1 }],
      nameservers: servers.map(({ host, port }) => ({ host, port })),
      catalog_zone: { fqdn: CATALOG, refresh: 3600 },
      tsig_key: KEY,
    },
  ]);
}

/** Makes the key of the pool. @returns its secret */
export async function makeKey({ url, admin }: Pick<ServiceProcess, 'url' | 'admin'>): Promise<string> {
  const client = connect(url, admin, 1);
  const secret = randomBytes(32).toString('base64');
  const key = { name: KEY, algorithm: 'hmac-sha256', secret, scope: 'POOL', resource_id: DEFAULT_POOL_ID };
  await expectSuccess(client, 'POST', '/v2/tsigkeys', key);
  client.close();
  return secret;
}

export async function openStage(backend: Backend): Promise<Stage> {
  const port = await freePort();
  const own = await backend.environment();
  const listen = { ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${port}` };
  const service = await startServiceProcess({ ...UNLIMITED, ...listen, ...own }, backend.node);
  const secret = await makeKey(service);
  const settings = storageSettings(
    loadConfig(undefined, { ZONEWARDEN_DEFAULT__DATA_DIR: service.dataDir, ...own }),
  );
  const store = await openStore({ ...settings, busyTimeoutMs: 60_000 });
  return {
    service,
    token: service.token(PROJECT, 'member'),
    upstream: {
      port,
      key: { name: `${KEY}.`, algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') },
    },
    known: { port, secret },
    store,
    applyPool(servers) {
      const file = join(service.dataDir, 'pools.yaml');
      writeFileSync(file, poolFile(servers));
      service.command('pool', 'apply', file, '--yes');
    },
    async remove() {
      await store.close();
      await service.remove();
    },
  };
}
