/** What a name server asks of its primary, over real sockets. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { typeNumber } from '../../src/dns/record-types.ts';
import { CLASS } from '../../src/dns/wire/codes.ts';
import {
  type DecodedMessage,
  decodeMessage,
  encodeMessage,
  type Header,
  type WireRecord,
} from '../../src/dns/wire/message.ts';
import { signMessage, type TsigSecret, TsigStreamVerifier, verifyMessage } from '../../src/dns/wire/tsig.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Ask {
  readonly name: string;
  readonly type: Parameters<typeof typeNumber>[0];
  /** What the client of an IXFR has. */
  readonly serial?: number;
  readonly udpSize?: number;
  readonly ednsVersion?: number;
  readonly key?: TsigSecret | undefined;
  /** Seconds by which the clock of the client is wrong. */
  readonly clockOff?: number;
  readonly header?: Partial<Header>;
}

/** A question on the wire, and its MAC. */
export interface Question {
  readonly octets: Buffer;
  readonly mac: Buffer;
}

const HEADER: Header = {
  id: 0,
  qr: false,
  opcode: 0,
  aa: false,
  tc: false,
  rd: false,
  ra: false,
  ad: false,
  cd: false,
  rcode: 0,
};
const MAX_RECORDS = 1_000_000;
const now = (): number => Math.floor(Date.now() / 1000);

function clientSoa({ name, serial }: Ask): WireRecord[] {
  if (serial === undefined) return [];
  return [{ name, type: typeNumber('SOA'), class: CLASS.IN, ttl: 0, rdata: `. . ${serial} 0 0 0 0` }];
}

export function encodeAsk(ask: Ask): Question {
  const { udpSize, ednsVersion: version = 0, key } = ask;
  const edns = udpSize === undefined ? {} : { edns: { udpSize, version, doBit: false, extendedRcode: 0 } };
  const message = encodeMessage({
    header: { ...HEADER, id: Math.floor(Math.random() * 65_536), ...ask.header },
    questions: [{ name: ask.name, type: typeNumber(ask.type), class: CLASS.IN }],
    answers: [],
    authority: clientSoa(ask),
    additional: [],
    ...edns,
  });
  if (key === undefined) return { octets: message, mac: Buffer.alloc(0) };
  const signed = signMessage(message, key, { time: now() + (ask.clockOff ?? 0) });
  return { octets: signed.message, mac: signed.mac };
}

/** Sends one datagram; what comes back to it, or undefined if nothing does within the time. */
export async function exchange(
  { host, port }: Address,
  octets: Buffer,
  ms: number,
): Promise<Buffer | undefined> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  try {
    socket.send(octets, port, host);
    const [answer] = await once(socket, 'message', { signal: AbortSignal.timeout(ms) });
    return answer;
  } catch (error) {
    if ((error as Error).name === 'AbortError') return undefined;
    throw error;
  } finally {
    socket.close();
  }
}

export const decodeAnswer = (octets: Buffer): DecodedMessage =>
  decodeMessage(octets, { maxRecords: MAX_RECORDS });

/** Asks by UDP. The signature of the answer is right, if the question had one. */
export async function askByUdp(address: Address, ask: Ask): Promise<DecodedMessage> {
  const { octets, mac } = encodeAsk(ask);
  const answer = await exchange(address, octets, 30_000);
  if (answer === undefined) throw new Error('No answer came within 30 seconds.');
  requireSigned(answer, ask.key, mac);
  return decodeAnswer(answer);
}

function requireSigned(answer: Buffer, key: TsigSecret | undefined, priorMac: Buffer): void {
  if (key === undefined || decodeAnswer(answer).tsig?.mac.length === 0) return;
  const verdict = verifyMessage(answer, () => key, { now: now(), priorMac });
  if (!verdict.ok && !verdict.reported)
    throw new Error(`The answer is not signed rightly: ${verdict.error}.`);
}

/** What one transfer brought: its records in their order, and how many messages they came in. */
export interface Transferred {
  readonly rcode: number;
  readonly records: readonly WireRecord[];
  readonly messages: number;
}

/** A connection by TCP. */
export class DnsConnection {
  readonly socket: Socket;
  #wake = () => {};

  private constructor(socket: Socket) {
    this.socket = socket;
    for (const event of ['readable', 'end', 'close']) socket.on(event, () => this.#wake());
  }

  static async open({ host, port }: Address): Promise<DnsConnection> {
    const socket = connect(port, host);
    socket.on('error', () => {});
    await once(socket, 'connect');
    return new DnsConnection(socket);
  }

  send(octets: Buffer): void {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(octets.length);
    this.socket.write(Buffer.concat([length, octets]));
  }

  /** The next message; undefined if the connection is closed. */
  async receive(): Promise<Buffer | undefined> {
    const length = await this.#read(2);
    return length === undefined ? undefined : this.#read(length.readUInt16BE(0));
  }

  async ask(ask: Ask): Promise<DecodedMessage> {
    const { octets, mac } = encodeAsk(ask);
    this.send(octets);
    const answer = await this.receive();
    if (answer === undefined) throw new Error('The connection was closed without an answer.');
    requireSigned(answer, ask.key, mac);
    return decodeAnswer(answer);
  }

  /** Reads a transfer up to its last SOA; every message has to be signed rightly, if the question was. */
  async transfer(ask: Ask): Promise<Transferred> {
    const question = encodeAsk(ask);
    this.send(question.octets);
    return this.readTransfer(ask, question);
  }

  async readTransfer(ask: Ask, { mac }: Question): Promise<Transferred> {
    const verifier = ask.key && new TsigStreamVerifier(ask.key, mac);
    const records: WireRecord[] = [];
    for (let messages = 1; ; messages += 1) {
      const octets = await this.receive();
      if (octets === undefined) throw new Error('The connection was closed within a transfer.');
      const verdict = verifier?.accept(octets, now());
      if (verdict?.ok === false) throw new Error(`A message is not signed rightly: ${verdict.error}.`);
      const { header, answers } = decodeAnswer(octets);
      records.push(...answers);
      if (header.rcode !== 0 || isWhole(records, ask)) return { rcode: header.rcode, records, messages };
    }
  }

  close(): void {
    this.socket.destroy();
  }

  async #read(count: number): Promise<Buffer | undefined> {
    for (;;) {
      const chunk: Buffer | null = this.socket.read(count);
      if (chunk !== null) return chunk.length === count ? chunk : undefined;
      if (this.socket.readableEnded || this.socket.destroyed) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Reads a transfer on a connection of its own. */
export async function transferFrom(address: Address, ask: Ask): Promise<Transferred> {
  const connection = await DnsConnection.open(address);
  try {
    return await connection.transfer(ask);
  } finally {
    connection.close();
  }
}

/** Whether the last SOA has come: RFC 5936 section 2.2, RFC 1995 section 4. */
function isWhole(records: readonly WireRecord[], { type, serial }: Ask): boolean {
  const soas = records.filter((record) => record.type === typeNumber('SOA'));
  const [first] = soas;
  if (first === undefined) return true;
  if (records.length === 1) return type === 'IXFR' && Number(first.rdata.split(' ')[2]) === serial;
  const isDifference = records[1]!.type === typeNumber('SOA');
  const ends = soas.filter(({ rdata }) => rdata === first.rdata).length;
  return records.at(-1)!.rdata === first.rdata && ends === (isDifference ? 3 : 2);
}
