/**
 * DNS UPDATE beside PUT of a recordset, in turns: writes a second with one and with 16 in flight. Then the p99 of creates of
 * zones over HTTP, alone and beside floods of UPDATE messages: of one key, and with wrong signatures. Then what messages with
 * unknown keys from many addresses cost the UPDATEs of others.
 *
 *     npm run bench -- updates [--seconds 5] [--stores sqlite,postgresql] [--parts writes,flood,strangers]
 */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { RCODE } from '../src/dns/wire/codes.ts';
import { type Client, connect, expectSuccess } from '../test/support/client.ts';
import type { Address } from '../test/support/dns-client.ts';
import { freePort } from '../test/support/free-port.ts';
import { startPostgres } from '../test/support/postgres/server.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { LeanClient } from './service/lean-client.ts';
import { besideFlood, type FloodCounts } from './updates/flood.ts';
import { besideStrangers } from './updates/strangers.ts';
import { type KeyedZone, Updater } from './updates/updater.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    stores: { type: 'string', default: 'sqlite,postgresql' },
    parts: { type: 'string', default: 'writes,flood,strangers' },
  },
});
const SECONDS = Number(options.seconds);
const ROUNDS = 5;
const IN_FLIGHT = [1, 16];
/** One key sends 100 updates a second at most, and one address 200: so many that neither is reached. */
const ZONES = 64;
const ADDRESSES = 64;
const NAMES = 20;
/** Clients that create zones beside updates, and the pause between updates in milliseconds. */
const CREATING = 16;
const UPDATE_PAUSE_MS = 50;

interface WrittenZone extends KeyedZone {
  readonly id: string;
  readonly recordsetIds: readonly string[];
}

interface UpdateResult {
  readonly rcode: number;
  /** In milliseconds. */
  readonly took: number;
}

interface Site {
  readonly store: string;
  readonly service: ServiceProcess;
  readonly primary: Address;
  readonly token: string;
  readonly zones: readonly WrittenZone[];
}

let turn = 0;
function addressNow(): string {
  turn += 1;
  return `192.0.${(turn >> 8) % 250}.${turn % 250}`;
}

async function makeZone(client: Client, admin: Client, name: string): Promise<WrittenZone> {
  const { id } = await expectSuccess(client, 'POST', '/v2/zones', { name, email: 'a@example.org' });
  const names = Array.from({ length: NAMES }, (_, place) => `host-${place}.${name}`);
  const changes = names.map((host) => ({
    action: 'create',
    name: host,
    type: 'A',
    ttl: 300,
    records: ['192.0.2.1'],
  }));
  await expectSuccess(client, 'POST', `/v2/zones/${id}/changes`, { changes });
  const { recordsets } = await expectSuccess(client, 'GET', `/v2/zones/${id}/recordsets?type=A`);
  const secret = randomBytes(32);
  const key = { name: `key-of-${name}`, algorithm: 'hmac-sha256', secret } as const;
  const permissions = { update: {} };
  const resource = { scope: 'ZONE', resource_id: id, permissions, algorithm: key.algorithm };
  await expectSuccess(admin, 'POST', '/v2/tsigkeys', {
    ...resource,
    name: key.name.slice(0, -1),
    secret: secret.toString('base64'),
  });
  return { id, name, names, key, recordsetIds: recordsets.map((one: { id: string }) => one.id) };
}

async function openSite(store: string, environment: Readonly<Record<string, string>>): Promise<Site> {
  const primary = { host: '127.0.0.1', port: await freePort() };
  const listen = { ZONEWARDEN_SERVICE_MDNS__LISTEN: `${primary.host}:${primary.port}` };
  const service = await startServiceProcess({
    ...listen,
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn',
    ...environment,
  });
  const admin = connect(service.url, service.admin, 1);
  const limits = { zones: -1, zone_recordsets: -1, zone_records: -1 };
  for (const project of ['measured', 'other'])
    await expectSuccess(admin, 'PATCH', `/v2/quotas/${project}`, limits);
  const token = service.token('measured', 'member');
  const client = connect(service.url, token, 1);
  const zones: WrittenZone[] = [];
  for (let place = 0; place < ZONES; place += 1)
    zones.push(await makeZone(client, admin, `zone-${place}.example.`));
  client.close();
  admin.close();
  return { store, service, primary, token, zones };
}

/** Works again and again, with so many in flight, until it is over; returns the time each took, in milliseconds. */
async function repeatedly(
  inFlight: number,
  isOver: () => boolean,
  work: (place: number) => Promise<unknown>,
) {
  const times: number[] = [];
  const worker = async (place: number): Promise<void> => {
    while (!isOver()) {
      const begun = performance.now();
      await work(place);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, place) => worker(place)));
  return times;
}

function lasting(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() >= end;
}

function p99Of(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)]!;
}

/** Writes of either way in turns; prints how many there are a second. */
async function measureWrites(
  { store, service, primary, token, zones }: Site,
  inFlight: number,
): Promise<void> {
  const clients = Array.from({ length: inFlight }, () => new LeanClient(service.url, token));
  const updaters = await Promise.all(
    Array.from({ length: ADDRESSES }, (_, place) => Updater.open(primary, place)),
  );
  const each = ADDRESSES / inFlight;
  const zoneNow = (place: number): WrittenZone => zones[(turn * inFlight + place) % ZONES]!;
  const ways = {
    'PUT of a recordset': (place: number) => {
      const { id, recordsetIds } = zoneNow(place);
      const path = `/v2/zones/${id}/recordsets/${recordsetIds[turn % NAMES]}`;
      return clients[place]!.send('PUT', path, `{"records":["${addressNow()}"]}`);
    },
    UPDATE: (place: number) =>
      updaters[place * each + (turn % each)]!.mustReplace(zoneNow(place), turn, addressNow()),
  };
  const done = new Map<string, number[]>(Object.keys(ways).map((way) => [way, []]));
  for (const work of Object.values(ways)) await repeatedly(inFlight, lasting(1), work);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [way, work] of Object.entries(ways))
      done.get(way)!.push(...(await repeatedly(inFlight, lasting(SECONDS / ROUNDS), work)));
  }
  for (const client of [...clients, ...updaters]) client.close();
  for (const [way, times] of done) {
    const perSecond = Math.round(times.length / SECONDS);
    console.log(`| ${[store, way, inFlight, perSecond, p99Of(times).toFixed(1)].join(' | ')} |`);
  }
}

/** How long creates of zones that come one after another for some seconds take, in milliseconds. */
async function createsFor({ service }: Site, token: string): Promise<readonly number[]> {
  const client = new LeanClient(service.url, token);
  const create = () =>
    client.send('POST', '/v2/zones', `{"name":"made-${turn++}.example.","email":"a@example.org"}`);
  await create();
  const times = await repeatedly(1, lasting(SECONDS), create);
  client.close();
  return times;
}

/** Creates alone, and beside messages of one key, right or wrong, from one address; in turns. */
async function measureFlood(site: Site): Promise<void> {
  const { store, primary, zones } = site;
  const [zone] = zones as readonly [WrittenZone];
  const forged = { ...zone, key: { ...zone.key, secret: randomBytes(32) } };
  const floods = [
    { what: 'of one key', sent: zone, times: [] as number[], counts: [] as FloodCounts[] },
    { what: 'with wrong signatures', sent: forged, times: [] as number[], counts: [] as FloodCounts[] },
  ];
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(...(await createsFor(site, site.token)));
    for (const { sent, times, counts } of floods) {
      const { done, flood } = await besideFlood(primary, sent, () => createsFor(site, site.token));
      times.push(...done);
      counts.push(flood);
    }
  }
  for (const { what, times, counts } of floods) {
    const sum = (one: keyof FloodCounts) => counts.reduce((all, each) => all + each[one], 0);
    const [before, beside] = [p99Of(alone), p99Of(times)];
    console.log(
      `\n${store}: creates wait ${before.toFixed(1)} ms (p99) alone, ${beside.toFixed(1)} ms beside ${sum('sent')} UPDATEs ${what}, of which ${sum('applied')} were applied: ${(beside / before).toFixed(2)} times.`,
    );
  }
}

/** UPDATEs of one key, 20 a second, while another project creates zones over HTTP: alone, and beside messages of strangers; in turns. */
async function measureStrangers(site: Site): Promise<void> {
  const { store, primary, zones } = site;
  const other = site.service.token('other', 'member');
  const updater = await Updater.open(primary, 0);
  await updater.mustReplace(zones[0]!, turn, addressNow());
  const updates = async (): Promise<readonly UpdateResult[]> => {
    const results: UpdateResult[] = [];
    const isOver = lasting(SECONDS);
    const update = async (): Promise<void> => {
      const begun = performance.now();
      const rcode = await updater.replace(zones[turn % ZONES]!, turn, addressNow());
      results.push({ rcode, took: performance.now() - begun });
      await setTimeout(UPDATE_PAUSE_MS);
    };
    const creates = Array.from({ length: CREATING }, () => createsFor(site, other));
    await Promise.all([...creates, repeatedly(1, isOver, update)]);
    return results;
  };
  const alone: UpdateResult[] = [];
  const beside: UpdateResult[] = [];
  let strangers = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(...(await updates()));
    const { done, sent } = await besideStrangers(primary, updates);
    beside.push(...done);
    strangers += sent;
  }
  updater.close();
  const shown = (results: readonly UpdateResult[]): string => {
    const applied = results.filter(({ rcode }) => rcode === RCODE.NOERROR).map(({ took }) => took);
    return `${applied.length} of ${results.length} applied, ${p99Of(applied).toFixed(1)} ms (p99)`;
  };
  console.log(
    `\n${store}: UPDATEs beside creates: ${shown(alone)}; with ${strangers} messages of strangers: ${shown(beside)}.`,
  );
}

async function measureStore(store: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const site = await openSite(store, environment);
  try {
    if (options.parts.includes('writes')) {
      console.log('| store | write | in flight | a second | p99, ms |');
      console.log('|---|---|---|---|---|');
      for (const inFlight of IN_FLIGHT) await measureWrites(site, inFlight);
    }
    if (options.parts.includes('strangers')) await measureStrangers(site);
    if (options.parts.includes('flood')) await measureFlood(site);
  } finally {
    await site.service.remove();
  }
}

if (options.stores.includes('sqlite')) await measureStore('embedded', {});
if (options.stores.includes('postgresql')) {
  const server = await startPostgres({ settings: { max_connections: 200 } });
  try {
    await measureStore('PostgreSQL', { ZONEWARDEN_STORAGE__CONNECTION: await server.createDatabase() });
  } finally {
    await server.remove();
  }
}
