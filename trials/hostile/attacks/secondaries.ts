/** Masters of secondary zones that lie. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TYPE } from '../../../src/dns/record-types.ts';
import { CLASS, OPCODE } from '../../../src/dns/wire/codes.ts';
import { decodeQuery, encodeMessage, type WireRecord } from '../../../src/dns/wire/message.ts';
import { expectSuccess } from '../../../test/support/client.ts';
import { type Attack, atOnce, pause } from '../attack.ts';
import { MANY, type Site } from '../site.ts';

const FLAGS = { rcode: 0, aa: true, tc: false, rd: false, ra: false, ad: false, cd: false };
const RECORDS_OF_A_MESSAGE = 2000;
/** Differences of an IXFR that stay below max_difference_size. */
const STEPS = 4000;
const LOOPBACK = { ZONEWARDEN_SECONDARY__ALLOWED_MASTERS: '127.0.0.0/8' };

/** What a master sends for a zone, message by message, at its nth transfer. */
type Zone = (name: string, nth: number, from: number | undefined) => readonly (readonly WireRecord[])[];

const record = (name: string, type: number, rdata: string): WireRecord => ({
  name,
  type,
  class: CLASS.IN,
  ttl: 300,
  rdata,
});
const soa = (name: string, serial: number): WireRecord =>
  record(name, TYPE.SOA, `ns.${name} host.${name} ${serial} 1 1 86400 60`);
const ns = (name: string): WireRecord => record(name, TYPE.NS, `ns.${name}`);

function messageOf(answers: readonly WireRecord[]): Buffer {
  const header = { id: 0, qr: true, opcode: OPCODE.QUERY, ...FLAGS };
  return encodeMessage({ header, questions: [], answers, authority: [], additional: [] });
}

/** The zones of a master: their serials grow with each transfer. */
class Zones {
  readonly #zone: Zone;
  readonly #serials = new Map<string, number>();
  readonly #kept = new Map<string, readonly Buffer[]>();

  constructor(zone: Zone) {
    this.#zone = zone;
  }

  /** The next serial. */
  next(name: string): number {
    return (this.#serials.get(name) ?? 1) + 2 * STEPS;
  }

  /** The messages of a transfer. */
  answer(message: Buffer): readonly Buffer[] {
    const { header, questions, authority } = decodeQuery(message);
    const { name } = questions[0]!;
    const from = authority[0] && Number(authority[0].rdata.split(' ')[2]);
    const pages = this.#pages(name, from);
    for (const page of pages) page.writeUInt16BE(header.id, 0);
    return pages;
  }

  #pages(name: string, from: number | undefined): readonly Buffer[] {
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const serial = this.next(name);
    this.#serials.set(name, serial);
    const pages = this.#zone(name, serial, from).map((page) => messageOf(page));
    // What is refused is the same each time.
    if (this.#zone === refused) this.#kept.set(name, pages);
    return pages;
  }
}

async function send(socket: Socket, messages: readonly Buffer[]): Promise<void> {
  for (const message of messages) {
    const head = Buffer.alloc(2);
    head.writeUInt16BE(message.length);
    const isTaken = socket.write(Buffer.concat([head, message]));
    if (!isTaken) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    if (socket.destroyed) return;
  }
}

/** A master by UDP and TCP; its port. */
async function startMaster(host: string, zone: Zone): Promise<number> {
  const zones = new Zones(zone);
  const tcp = createServer((socket) => {
    socket.on('error', () => {});
    socket.once(
      'data',
      (octets: Buffer) => void send(socket, zones.answer(octets.subarray(2))).catch(() => {}),
    );
  });
  tcp.listen(0, host);
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4');
  udp.bind(port, host);
  udp.on('message', (message, from) => {
    const { header, questions } = decodeQuery(message);
    const { name } = questions[0]!;
    const answers = [soa(name, zones.next(name))];
    const answer = { header: { ...header, ...FLAGS, qr: true }, questions, answers };
    udp.send(encodeMessage({ ...answer, authority: [], additional: [] }), from.port, from.address);
  });
  return port;
}

function pagesOf(records: readonly WireRecord[]): WireRecord[][] {
  const pages: WireRecord[][] = [];
  for (let at = 0; at < records.length; at += RECORDS_OF_A_MESSAGE)
    pages.push(records.slice(at, at + RECORDS_OF_A_MESSAGE));
  return pages;
}

function addresses(name: string, count: number, seed: number): WireRecord[] {
  return Array.from({ length: count }, (_, at) =>
    record(`n${at}.${name}`, TYPE.A, `10.${seed & 255}.${at >> 8}.${at & 255}`),
  );
}

/** The last record lies outside the zone. */
const refused: Zone = (name, nth) => [
  [soa(name, nth), ns(name)],
  ...pagesOf(addresses(name, 60_000, 1)),
  [record('outside.example.', TYPE.A, '192.0.2.1')],
];

/** All of a large zone changes each time. */
const taken: Zone = (name, nth) => [
  [soa(name, nth), ns(name)],
  ...pagesOf(addresses(name, 60_000, nth / STEPS)),
  [soa(name, nth)],
];

/** Thousands of small steps about one large recordset. */
const steps: Zone = (name, nth, from) => {
  const www = (at: number) => record(`www.${name}`, TYPE.A, `10.0.${at >> 8}.${at & 255}`);
  const all = Array.from({ length: 3000 }, (_, at) => www(at));
  if (from === undefined) return [[soa(name, nth), ns(name)], ...pagesOf(all), [soa(name, nth)]];
  const records = [soa(name, nth)];
  for (let left = STEPS; left > 0; left -= 1) {
    const [gone, come] = left % 2 === 0 ? [0, 3001] : [3001, 0];
    records.push(
      soa(name, left === STEPS ? from : nth - left),
      www(gone),
      soa(name, nth - left + 1),
      www(come),
    );
  }
  return pagesOf([...records, soa(name, nth)]);
};

async function makeSecondaries(site: Site, count: number, zone: Zone) {
  const attacker = site.client('attacker', 4);
  await site.allow('attacker', { zones: -1, ...MANY });
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const host = `127.0.1.${at + 1}`;
    const masters = [`${host}:${await startMaster(host, zone)}`];
    const body = { name: `hostile-${at}.example.`, type: 'SECONDARY', masters };
    ids.push((await expectSuccess(attacker, 'POST', '/v2/zones', body)).id);
  }
  return { attacker, ids };
}

/** Zones of one project at as many masters, of which every transfer is asked for as soon as it may be. */
function transfersOf(name: string, title: string, count: number, zone: Zone): Attack {
  return {
    name: `secondary-${name}`,
    title,
    environment: LOOPBACK,
    async prepare(site) {
      const { attacker, ids } = await makeSecondaries(site, count, zone);
      return async (answers) => {
        await atOnce(ids.length, (at) => answers.ask(attacker, 'POST', `/v2/zones/${ids[at]}/tasks/xfr`));
        await pause(1000);
      };
    },
  };
}

/** Other masters are asked at once, and for the differences. */
const CHANGED_MASTERS: Attack = {
  name: 'secondary-steps',
  title: '4 secondary zones, again and again 4,000 differences of one record in a recordset of 3,000',
  environment: LOOPBACK,
  async prepare(site) {
    const { attacker, ids } = await makeSecondaries(site, 4, steps);
    return async (answers, round) => {
      await atOnce(ids.length, async (at) => {
        const { masters } = await expectSuccess(attacker, 'GET', `/v2/zones/${ids[at]}`);
        const changed = { masters: [masters[0], `127.0.2.1:${1000 + (round % 2)}`] };
        await answers.ask(attacker, 'PATCH', `/v2/zones/${ids[at]}`, changed);
      });
      await pause(1000);
    };
  },
};

export const SECONDARY_ATTACKS: readonly Attack[] = [
  transfersOf('refused', '8 secondary zones of 60,000 records, each refused at its last record', 8, refused),
  CHANGED_MASTERS,
  transfersOf('taken', '4 secondary zones of 60,000 recordsets that all change each time', 4, taken),
];
