import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireRecord } from '../../../src/dns/wire/message.ts';
import type { TsigSecret } from '../../../src/dns/wire/tsig.ts';
import { DnsConnection } from '../../../test/support/dns-client.ts';
import { freePort } from '../../../test/support/free-port.ts';
import type { Caller } from '../caller.ts';
import type { Dice } from '../dice.ts';
import type { Ledger } from '../ledger.ts';
import type { Environment } from '../members.ts';
import type { Injury } from '../sites.ts';
import { serverInjuries, wayInjuries } from './harm.ts';
import { CATALOG, NameServer, type SharedKey } from './name-server.ts';
import { oldSerial } from './old-serial.ts';
import { PacketProxy } from './packet-proxy.ts';

const SERVERS = 2;
const DEFAULT_POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';

/** The name servers of a run, and what lies between them and the processes of the service. */
export interface Servers {
  readonly servers: readonly NameServer[];
  readonly injuries: readonly Injury[];
  /** The options of a process: the address of its hidden primary. */
  environment(member: number): Environment;
  /**
   * Gives the service the key, applies the pool, and starts the servers.
   * @param command runs one command of the service
   */
  start(admin: string, caller: Caller, command: (...args: string[]) => Promise<unknown>): Promise<void>;
  /** What a server has of a zone, by AXFR. */
  transfer(server: NameServer, name: string): Promise<readonly WireRecord[]>;
  /** Ends all at once. */
  abandon(): void;
}

const wireKey = ({ name, algorithm, secret }: SharedKey): TsigSecret => ({
  name: `${name}.`,
  algorithm,
  secret: Buffer.from(secret, 'base64'),
});

function poolText(key: SharedKey, ports: readonly number[]): string {
  const nameservers = ports.map((port) => `{host: 127.0.0.1, port: ${port}}`).join(', ');
  return `- name: default
  ns_records: [{hostname: ns1.example.net., priority: 1}]
  nameservers: [${nameservers}]
  catalog_zone: {fqdn: ${CATALOG}., refresh: 60}
  tsig_key: ${key.name}
`;
}

interface Ground {
  readonly folder: string;
  readonly members: number;
  readonly ledger: Ledger;
  /** Independent dice for whoever needs some. */
  dice(who: string): Dice;
}

interface Built {
  readonly key: SharedKey;
  readonly listens: readonly number[];
  readonly toPrimaries: readonly PacketProxy[];
  readonly servers: readonly NameServer[];
  readonly toServers: readonly PacketProxy[];
}

async function each<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let index = 0; index < count; index++) made.push(await make(index));
  return made;
}

async function build({ folder, members, ledger, dice }: Ground): Promise<Built> {
  const key = {
    name: 'pool-key',
    algorithm: 'hmac-sha256',
    secret: randomBytes(32).toString('base64'),
  } as const;
  const listens = await each(members, freePort);
  const toPrimaries = await each(members, (index) =>
    PacketProxy.open({ upstream: listens[index]!, dice: dice(`way to primary ${index}`) }),
  );
  const primaries = toPrimaries.map(({ port }) => port);
  const servers = await each(SERVERS, (index) =>
    NameServer.make({ index, folder: join(folder, `server-${index}`), key, primaries, ledger }),
  );
  const toServers = await each(SERVERS, (index) => {
    const way = dice(`way to server ${index}`);
    return PacketProxy.open({
      upstream: servers[index]!.port,
      dice: way,
      forge: oldSerial(wireKey(key), way),
    });
  });
  return { key, listens, toPrimaries, servers, toServers };
}

async function transfer({ port }: NameServer, name: string, shared: SharedKey) {
  const connection = await DnsConnection.open({ host: '127.0.0.1', port });
  try {
    return (await connection.transfer({ name, type: 'AXFR', key: wireKey(shared) })).records;
  } finally {
    connection.close();
  }
}

/** A run without name servers: nothing is published. */
export const NO_SERVERS: Servers = {
  servers: [],
  injuries: [],
  environment: () => ({}),
  start: async () => {},
  transfer: async () => [],
  abandon: () => {},
};

/** Two BIND servers that have every zone from the catalog of the default pool. */
export async function makeServers(ground: Ground): Promise<Servers> {
  const { key, listens, toPrimaries, servers, toServers } = await build(ground);
  return {
    servers,
    injuries: [
      ...servers.flatMap(serverInjuries),
      ...toPrimaries.flatMap((proxy, index) => wayInjuries(proxy, `primary ${index}`)),
      ...toServers.flatMap((proxy, index) => wayInjuries(proxy, `name server ${index}`, true)),
    ],
    environment: (member) => ({ ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${listens[member]}` }),
    async start(admin, caller, command) {
      const body = { ...key, scope: 'POOL', resource_id: DEFAULT_POOL };
      const { status } = await caller.require({ method: 'POST', path: '/v2/tsigkeys', token: admin, body });
      if (status !== 201) throw new Error(`The key is answered ${status}.`);
      const file = join(ground.folder, 'pools.yaml');
      writeFileSync(
        file,
        poolText(
          key,
          toServers.map(({ port }) => port),
        ),
      );
      await command('pool', 'apply', file, '--yes');
      for (const server of servers) server.start();
      await Promise.all(servers.map((server) => server.answers()));
    },
    transfer: (server, name) => transfer(server, name, key),
    abandon() {
      for (const server of servers) server.abandon();
      for (const proxy of [...toPrimaries, ...toServers]) proxy.close();
    },
  };
}
