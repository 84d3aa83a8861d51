import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { type Answer, commandsOn, run, type ServiceProcess, startProcess } from '../process.ts';
import type { Asked } from './dig.ts';
import { documented, withOwn } from './document.ts';
import type { NameServer } from './place.ts';
import { type Brand, startNameServer, type Upstream } from './servers.ts';

type Environment = Readonly<Record<string, string>>;

/** The zone as the API answers it. */
export interface ShownZone {
  readonly id: string;
  readonly name: string;
  readonly serial: number;
  readonly status: string;
  readonly action: string;
}

/** A service with name servers behind it, as the document sets them up. */
export interface Publishing {
  readonly service: ServiceProcess;
  readonly upstream: Upstream;
  readonly dataDir: string;
  /** As the document's commands make it. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Makes a zone; the answer says PENDING. */
  makeZone(name: string): Promise<ShownZone>;
  /** Waits until a zone has some status. */
  zoneIs(id: string, status: string): Promise<ShownZone>;
  /** Waits until a zone is gone. */
  zoneIsGone(id: string): Promise<void>;
  /** How many zones there are, or how many in some status. */
  countZones(status?: string): Promise<number>;
  /** Adds a recordset. */
  addRecordset(zoneId: string, recordset: object): Promise<Answer>;
  /** Applies the pool file of the document, with these servers in it. */
  applyPool(servers: readonly Asked[], edit?: (yaml: string) => string): Promise<void>;
  /** Ends the service and starts it again on the same store and ports. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  remove(): Promise<void>;
}

/** Requests that wait for one another are as few as these, whatever the machine. */
const SERVICE_OPTIONS = {
  ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
  ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
};

/** The option of the document that lets the service listen for name servers. */
function listenOption(port: number): Environment {
  const [, address] = /^\[service:mdns\]\nlisten = (\S+)\n$/.exec(documented('Zonewarden', 'ini'))!;
  return { ZONEWARDEN_SERVICE_MDNS__LISTEN: withOwn(address!, { '192.0.2.10:5354': `127.0.0.1:${port}` }) };
}

/** Makes the key of the pool by the command of the document, and returns its secret. */
async function makeKey({ url, admin }: ServiceProcess): Promise<string> {
  const command = withOwn(documented('Zonewarden', 'sh'), { 'http://127.0.0.1:9001': url });
  const { status, out, err } = await run(['sh', '-euc', command], { env: { TOKEN: admin } });
  if (status !== 0) throw new Error(`The key was not made: ${err}`);
  return JSON.parse(out).secret;
}

const SERVERS = /( {4}- \{ host: .*\n)+/;

/** Starts a service whose hidden primary listens, with the key of the pool in it. */
export async function startPublishing(env: Environment = {}): Promise<Publishing> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'zonewarden-publishing-'));
  const dataDir = join(folder, 'data');
  const port = await freePort();
  const options = { dataDir, env: { ...SERVICE_OPTIONS, ...listenOption(port), ...env } };
  let service = await startProcess(options);
  const secret = await makeKey(service);
  const commands = commandsOn(dataDir);
  const ask: Publishing['ask'] = (method, path, body) =>
    service.request(method, path, { token: service.admin, body });
  const look = async (id: string) => (await ask('GET', `/v2/zones/${id}`)).json as ShownZone;
  const publishing: Publishing = {
    get service() {
      return service;
    },
    upstream: { port, secret },
    dataDir,
    ask,
    async makeZone(name) {
      const made = await service.create(name);
      if (made.status !== 202) throw new Error(JSON.stringify(made.json));
      return made.json as ShownZone;
    },
    zoneIs: (id, status) =>
      eventually(async () => {
        const zone = await look(id);
        return zone.status === status ? zone : undefined;
      }),
    async zoneIsGone(id) {
      await eventually(async () => (await ask('GET', `/v2/zones/${id}`)).status === 404 || undefined);
    },
    async countZones(status) {
      const filter = status === undefined ? '' : `&status=${status}`;
      return (await ask('GET', `/v2/zones?limit=1${filter}`)).json.metadata.total_count;
    },
    addRecordset: (zoneId, recordset) => ask('POST', `/v2/zones/${zoneId}/recordsets`, recordset),
    async applyPool(servers, edit = (yaml) => yaml) {
      const yaml = documented('Zonewarden', 'yaml');
      if (!SERVERS.test(yaml)) throw new Error('The pool file of the document has no name servers.');
      const own = servers.map(({ host, port: at }) => `    - { host: ${host}, port: ${at} }\n`).join('');
      const [program, ...args] = documented('Zonewarden', 'sh', 1).trim().split(' ');
      if (program !== 'zonewarden') throw new Error(`The document applies the pool by ${program}.`);
      const input = edit(yaml.replace(SERVERS, own));
      const { status, err } = await commands(
        args.map((arg) => (arg === 'pools.yaml' ? '-' : arg)),
        { input, env },
      );
      if (status !== 0) throw new Error(`The pool was not applied: ${err}`);
    },
    async restart(signal) {
      await service.end(signal);
      service = await startProcess(options);
    },
    async remove() {
      await service.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return publishing;
}

export interface Pool extends Publishing {
  readonly servers: readonly NameServer[];
}

/**
 * Such a service with a pool of servers, each provisioned by the catalog alone.
 * @param edit changes the configurations of the servers
 */
export async function startPool(
  brands: readonly Brand[],
  env: Environment = {},
  edit?: (configuration: string) => string,
): Promise<Pool> {
  const publishing = await startPublishing(env);
  const servers: NameServer[] = [];
  const remove = async () => {
    await Promise.all(servers.map((server) => server.remove()));
    await publishing.remove();
  };
  try {
    const start = (brand: Brand) => startNameServer(brand, publishing.upstream, edit);
    servers.push(...(await Promise.all(brands.map(start))));
    await publishing.applyPool(servers);
  } catch (error) {
    await remove();
    throw error;
  }
  return Object.assign(Object.create(publishing), { servers, remove });
}
