/** A running service under hostile UPDATE messages, over UDP and TCP. */
import { randomBytes } from 'node:crypto';
import { decodeHeader } from '../../src/dns/encoding/header.ts';
import { RCODE } from '../../src/dns/wire/codes.ts';
import type { TsigSecret } from '../../src/dns/wire/tsig.ts';
import { type Client, connect, expectSuccess } from '../support/client.ts';
import { type Address, askByUdp, DnsConnection, exchange } from '../support/dns-client.ts';
import { freePort } from '../support/free-port.ts';
import { Random } from '../support/random.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { type FuzzedKeys, type FuzzedUpdate, UpdateSource, ZONE } from './update-messages.ts';

const IN_FLIGHT = 16;
const BY_TCP = 0.1;
/** Messages between two looks at the zone. */
const ROUND = 20_000;
/** Messages signed rightly that are sent again later, and how often. */
const MAX_REPEATED = 200;
const REPEATED = 0.02;
/** An answer that takes longer is lost, in milliseconds. */
const PATIENCE_MS = 10_000;

interface Site {
  readonly service: ServiceProcess;
  readonly address: Address;
  readonly admin: Client;
  readonly zoneId: string;
  readonly keys: FuzzedKeys;
}

async function openSite(): Promise<Site> {
  const address = { host: '127.0.0.1', port: await freePort() };
  const service = await startServiceProcess({
    ZONEWARDEN_SERVICE_MDNS__LISTEN: `${address.host}:${address.port}`,
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1',
  });
  const admin = connect(service.url, service.admin, 1);
  const zone = await expectSuccess(admin, 'POST', '/v2/zones', { name: ZONE, email: 'a@example.org' });
  const keyWith = async (name: string, permissions: object): Promise<TsigSecret> => {
    const secret = randomBytes(32);
    const body = { name, algorithm: 'hmac-sha256', secret: secret.toString('base64'), permissions };
    await expectSuccess(admin, 'POST', '/v2/tsigkeys', { ...body, scope: 'ZONE', resource_id: zone.id });
    return { name: `${name}.`, algorithm: 'hmac-sha256', secret };
  };
  const keys = {
    open: await keyWith('open', { update: {} }),
    narrow: await keyWith('narrow', { update: { names: ['narrow'] } }),
    transferring: await keyWith('transferring', { transfer: true }),
  };
  return { service, address, admin, zoneId: zone.id, keys };
}

async function sendByTcp(address: Address, octets: Buffer): Promise<Buffer | undefined> {
  const connection = await DnsConnection.open(address);
  try {
    connection.send(octets);
    return await connection.receive();
  } catch {
    // What cannot be read ends the connection.
    return undefined;
  } finally {
    connection.close();
  }
}

/** What a run has seen. */
class UpdateTally {
  readonly kinds = new Map<string, number>();
  readonly rcodes = new Map<string, number>();
  readonly faults: string[] = [];
  /** Names whose message was answered NOERROR. */
  readonly added = new Set<string>();
  /** Names whose message may have been applied: its answer was lost. */
  readonly perhaps = new Set<string>();

  count(counts: Map<string, number>, what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }

  fault(about: string): void {
    this.faults.push(about);
    console.error(`FAULT ${about}`);
  }

  judge({ kind, octets, adds, isKnown }: FuzzedUpdate, answer: Buffer | undefined): void {
    const header = answer && decodeHeader(answer);
    if (answer === undefined || header === undefined) {
      this.count(this.rcodes, 'none');
      if (adds !== undefined) this.perhaps.add(adds);
      return;
    }
    this.count(this.rcodes, `${header.rcode}`);
    const about = () => `${kind}: ${octets.toString('hex')} is answered ${answer.toString('hex')}`;
    if (!isKnown && answer.length > octets.length) this.fault(`larger than the question: ${about()}`);
    if (header.rcode !== RCODE.NOERROR || adds === undefined) return;
    this.added.add(adds);
  }
}

/** Whether a message can be sent so that an answer to it is recognised. */
function isAnswered({ octets }: FuzzedUpdate): boolean {
  const header = decodeHeader(octets);
  return header !== undefined && !header.qr;
}

async function send(site: Site, random: Random, update: FuzzedUpdate, tally: UpdateTally): Promise<void> {
  tally.count(tally.kinds, update.kind);
  const patience = isAnswered(update) ? PATIENCE_MS : 1;
  const isTcp = random.chance(BY_TCP) && isAnswered(update);
  const answer = isTcp
    ? await sendByTcp(site.address, update.octets)
    : await exchange(site.address, update.octets, patience);
  tally.judge(update, answer);
}

/** Messages from a source, and now and then one that counted, again. */
class RepeatingSource {
  readonly #random: Random;
  readonly #source: UpdateSource;
  readonly #sent: FuzzedUpdate[] = [];

  constructor(random: Random, keys: FuzzedKeys) {
    this.#random = random;
    this.#source = new UpdateSource(random, keys);
  }

  next(): FuzzedUpdate {
    if (this.#sent.length > 0 && this.#random.chance(REPEATED)) return this.#random.pick(this.#sent);
    const update = this.#source.next();
    if (update.adds !== undefined) this.#sent.push(update);
    if (this.#sent.length > MAX_REPEATED) this.#sent.shift();
    return update;
  }
}

/** Sends so many messages, some at once; half of those that count arrive twice at the same time. */
async function sendRound(
  site: Site,
  random: Random,
  source: RepeatingSource,
  count: number,
  tally: UpdateTally,
): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    for (; left > 0; left -= 1) {
      const update = source.next();
      const copies = update.adds !== undefined && random.chance(0.5) ? [1, 2] : [1];
      await Promise.all(copies.map(() => send(site, random, update, tally)));
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

/** The names in the zone, page by page. */
async function namesIn({ admin, zoneId }: Site): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (let marker = ''; ; ) {
    const page = await expectSuccess(
      admin,
      'GET',
      `/v2/zones/${zoneId}/recordsets?type=TXT&limit=1000${marker}`,
    );
    for (const { name } of page.recordsets) names.add(name);
    if (page.recordsets.length < 1000) return names;
    marker = `&marker=${page.recordsets.at(-1).id}`;
  }
}

async function countChanges({ admin, zoneId }: Site): Promise<number> {
  let count = 0;
  for (let marker = ''; ; ) {
    const page = await expectSuccess(
      admin,
      'GET',
      `/v2/zones/${zoneId}/changes?door=update&limit=1000${marker}`,
    );
    count += page.changes.length;
    if (page.changes.length < 1000) return count;
    marker = `&marker=${page.changes.at(-1).id}`;
  }
}

/** The zone has what was acknowledged and nothing else, each by one change; the service answers, and logged no error. */
async function look(site: Site, tally: UpdateTally): Promise<void> {
  const { added, perhaps } = tally;
  const names = await namesIn(site);
  for (const name of added) if (!names.has(name)) tally.fault(`${name} is acknowledged, but not there`);
  for (const name of names) {
    if (!added.has(name) && !perhaps.has(name)) tally.fault(`${name} is there, but was not acknowledged`);
  }
  const changes = await countChanges(site);
  if (changes !== names.size) tally.fault(`${names.size} names by ${changes} changes`);
  const { header } = await askByUdp(site.address, { name: ZONE, type: 'SOA', key: site.keys.open });
  if (header.rcode !== RCODE.NOERROR) tally.fault(`a question is answered RCODE ${header.rcode}`);
  const errors = site.service.logged.filter(({ level }) => Number(level) >= 50);
  for (const error of errors.slice(0, 5)) tally.fault(`an error in the log: ${JSON.stringify(error)}`);
}

/** @returns the number of faults */
export async function fuzzService(seed: number, messages: number): Promise<number> {
  const site = await openSite();
  const random = new Random(seed);
  const source = new RepeatingSource(random, site.keys);
  const tally = new UpdateTally();
  try {
    for (let sent = 0; sent < messages && tally.faults.length === 0; sent += ROUND) {
      await sendRound(site, random, source, Math.min(ROUND, messages - sent), tally);
      await look(site, tally);
      console.log(
        Math.min(sent + ROUND, messages),
        `${tally.added.size} applied`,
        Object.fromEntries(tally.rcodes),
      );
    }
  } finally {
    site.admin.close();
    await site.service.remove();
  }
  console.log(Object.fromEntries(tally.kinds));
  return tally.faults.length;
}
