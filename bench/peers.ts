/**
 * The same work by PowerDNS's HTTP API or Designate and by Zonewarden, in turns, each on a store of its own: requests a second,
 * and the processor time of the server for each (that of PostgreSQL not included). PowerDNS is Debian's pdns-server,
 * pdns-backend-sqlite3, sqlite3 and pdns-backend-pgsql; Designate is Debian's designate-api and designate-central, or their
 * packages unpacked in DESIGNATE_ROOT.
 *
 *     npm run bench -- peers [--with powerdns,designate] [--seconds 2] [--stores sqlite,postgresql] [--connections 1,16]
 */
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/support/postgres/server.ts';
import { startDesignate } from './peers/designate.ts';
import type { Peer, PeerRequest } from './peers/peer.ts';
import { startPowerDns } from './peers/powerdns.ts';
import { startZonewarden } from './peers/zonewarden.ts';
import { medianOf } from './support/median.ts';
import { ticksOf } from './support/processor-time.ts';

const { values: options } = parseArgs({
  options: {
    with: { type: 'string', default: 'powerdns' },
    seconds: { type: 'string', default: '2' },
    stores: { type: 'string', default: 'sqlite,postgresql' },
    connections: { type: 'string', default: '1,16' },
  },
});
const SECONDS = Number(options.seconds);
const ROUNDS = 5;
const MS_OF_A_TICK = 10;
const ZONES = 1000;
const RECORDSETS = 20;
/** Zones with recordsets, so that writes of several clients need not meet. */
const BUSY_ZONES = 16;

let turn = 0;
const busyOf = (number: number): string => `busy-${number % BUSY_ZONES}.example.`;
const hostOf = (number: number): string =>
  `host-${Math.floor(number / BUSY_ZONES) % RECORDSETS}.${busyOf(number)}`;
const zoneOf = (number: number): string => `peer-${number % (ZONES - BUSY_ZONES)}.example.`;
const addressOf = (number: number): string =>
  `10.${(number >> 16) % 256}.${(number >> 8) % 256}.${number % 256}`;

/** In the order in which they are measured: creates last, so that lists are as long as they were. */
const ROWS: readonly (readonly [string, (peer: Peer, number: number) => PeerRequest])[] = [
  ['a zone by its name', ({ requests }, number) => requests.find(zoneOf(number))],
  [`${RECORDSETS} recordsets of a zone`, ({ requests }, number) => requests.recordsets(busyOf(number))],
  [`a list of ${ZONES} zones`, ({ requests }) => requests.list()],
  [
    'new records at a name',
    ({ requests }, number) => requests.write(busyOf(number), hostOf(number), addressOf(number)),
  ],
  ['a new zone', ({ requests }, number) => requests.create(`new-${number}.example.`)],
];

/** One request, on a connection that is kept where the server keeps it. @returns the status */
function send({ url, headers }: Peer, agent: Agent, { method, path, body }: PeerRequest): Promise<number> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const own = { ...headers, 'content-type': 'application/json', 'content-length': text.length };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, agent, headers: own }, (answer) => {
      answer.resume();
      answer.on('error', reject);
      answer.on('end', () => resolve(answer.statusCode!));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

const newAgent = (connections: number) => new Agent({ keepAlive: true, maxSockets: connections });

async function require(peer: Peer, agent: Agent, asked: PeerRequest): Promise<void> {
  const status = await send(peer, agent, asked);
  if (status >= 300) throw new Error(`${peer.title}: ${asked.method} ${asked.path}: ${status}`);
}

async function prepare(peer: Peer): Promise<void> {
  const agent = newAgent(16);
  const numbers = Array.from({ length: ZONES - BUSY_ZONES }, (_, number) => number);
  const busy = Array.from({ length: BUSY_ZONES }, (_, number) => busyOf(number));
  for (const name of [...busy, ...numbers.map(zoneOf)])
    await require(peer, agent, peer.requests.create(name));
  for (const zone of busy) await peer.learn?.(zone);
  for (let number = 0; number < RECORDSETS * BUSY_ZONES; number += 1) {
    const [zone, name, address] = [busyOf(number), hostOf(number), addressOf(number)];
    if (peer.makeRecordset !== undefined) await peer.makeRecordset(zone, name, address);
    else await require(peer, agent, peer.requests.write(zone, name, address));
  }
  for (const zone of busy) await peer.learn?.(zone);
  agent.destroy();
}

interface Figures {
  readonly rate: number;
  /** Processor time of the server for each request, in milliseconds. */
  readonly cost: number;
  /** The share of requests that were refused. */
  readonly failed: number;
}

async function measure(peer: Peer, connections: number, row: (typeof ROWS)[number]): Promise<Figures> {
  const agent = newAgent(connections);
  const ticks = ticksOf(peer.pid);
  const begun = performance.now();
  const end = begun + SECONDS * 1000;
  let done = 0;
  let failed = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      turn += 1;
      if ((await send(peer, agent, row[1](peer, turn))) < 300) done += 1;
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const seconds = (performance.now() - begun) / 1000;
  agent.destroy();
  const cost = ((ticksOf(peer.pid) - ticks) * MS_OF_A_TICK) / done;
  return { rate: done / seconds, cost, failed: failed / (done + failed) };
}

async function compare(store: string, peers: readonly [Peer, Peer], connections: number): Promise<void> {
  for (const row of ROWS) {
    const rounds: (readonly [Figures, Figures])[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const figures = [
        await measure(peers[0], connections, row),
        await measure(peers[1], connections, row),
      ] as const;
      // The first one warms up.
      if (round > 0) rounds.push(figures);
    }
    const median = (read: (round: readonly [Figures, Figures]) => number) => medianOf(rounds.map(read));
    const cells = [0, 1].flatMap((which) => [
      median((round) => round[which]!.rate).toFixed(0),
      median((round) => round[which]!.cost).toFixed(2),
      `${(100 * median((round) => round[which]!.failed)).toFixed(0)} %`,
    ]);
    const ratio = median(([other, own]) => own.rate / other.rate).toFixed(2);
    console.log(`| ${[store, row[0], connections, ...cells, ratio].join(' | ')} |`);
  }
}

type NewDatabase = () => Promise<string | undefined>;
type Start = (database: string | undefined) => Promise<Peer>;

async function measureStore(store: string, start: Start, newDatabase: NewDatabase): Promise<void> {
  const peers = [await start(await newDatabase()), await startZonewarden(await newDatabase())] as const;
  try {
    for (const peer of peers) await prepare(peer);
    for (const connections of options.connections.split(',').map(Number))
      await compare(store, peers, connections);
  } finally {
    for (const peer of peers) await peer.remove();
  }
}

async function measureOnPostgres(start: Start): Promise<void> {
  const server = await startPostgres({ settings: { max_connections: 200 } });
  try {
    await measureStore('PostgreSQL', start, () => server.createDatabase());
  } finally {
    await server.remove();
  }
}

const OTHERS: Readonly<Record<string, readonly [title: string, start: Start]>> = {
  powerdns: ['PowerDNS', startPowerDns],
  designate: ['Designate', startDesignate],
};
const stores = options.stores.split(',');
for (const name of options.with.split(',')) {
  const [title, start] = OTHERS[name]!;
  console.log(
    `| store | request | connections | ${title} a second | ms | failed | Zonewarden a second | ms | failed | times |`,
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|');
  if (stores.includes('sqlite')) await measureStore('SQLite', start, async () => undefined);
  if (stores.includes('postgresql')) await measureOnPostgres(start);
}
