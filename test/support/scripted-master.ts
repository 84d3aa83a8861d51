/** A master that says whatever a test has it say, by UDP and TCP, and the zones that are fetched from it. */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { TYPE } from '../../src/dns/record-types.ts';
import { CLASS } from '../../src/dns/wire/codes.ts';
import {
  type DecodedMessage,
  decodeQuery,
  encodeMessage,
  type Header,
  type Question,
  type WireRecord,
} from '../../src/dns/wire/message.ts';
import { type TsigSecret, verifyMessage } from '../../src/dns/wire/tsig.ts';
import { freePort, listen } from './free-port.ts';
import { StreamSigner } from './stream-signer.ts';

const now = (): number => Math.floor(Date.now() / 1000);

/** What differs in one message from what it should be. */
export interface Twist {
  readonly header?: Partial<Header>;
  readonly questions?: readonly Question[];
  readonly isUnsigned?: boolean;
}

/** One question for a transfer, and its connection. */
export class TransferSession {
  readonly query: DecodedMessage;
  readonly question: Question;
  /** The serial of the client, for IXFR. */
  readonly serial: number | undefined;
  readonly socket: Socket;
  readonly signer: StreamSigner | undefined;

  constructor(query: DecodedMessage, socket: Socket, signer: StreamSigner | undefined) {
    this.query = query;
    this.question = query.questions[0]!;
    this.socket = socket;
    this.signer = signer;
    const soa = query.authority.find(({ type }) => type === TYPE.SOA);
    this.serial = soa && Number(soa.rdata.split(' ')[2]);
  }

  get isIxfr(): boolean {
    return this.question.type === TYPE.IXFR;
  }

  /** A message with these records, signed if the question was. */
  message(records: readonly WireRecord[], twist: Twist = {}): Buffer {
    const plain = encodeMessage({
      header: { ...this.query.header, qr: true, aa: true, ...twist.header },
      questions: twist.questions ?? [this.question],
      answers: records,
      authority: [],
      additional: [],
    });
    if (this.signer === undefined) return plain;
    return twist.isUnsigned ? this.signer.leaveOut(plain) : this.signer.sign(plain, now());
  }

  send(records: readonly WireRecord[], twist: Twist = {}): void {
    this.raw(this.message(records, twist));
  }

  /** Octets after their length. False if the other end does not keep up. */
  raw(octets: Buffer, length = octets.length): boolean {
    const head = Buffer.alloc(2);
    head.writeUInt16BE(length);
    return this.socket.write(Buffer.concat([head, octets]));
  }
}

export interface ScriptedMaster {
  readonly host: string;
  readonly port: number;
  /** What was asked: the type, and how. */
  readonly heard: string[];
  /** Connections that are open now. */
  readonly open: Set<Socket>;
  /** The records of the answer to a question for the SOA. */
  soa: (name: string) => readonly WireRecord[];
  /** What differs in that answer. */
  soaTwist: (transport: 'udp' | 'tcp') => Twist & { readonly isSilent?: boolean };
  key: TsigSecret | undefined;
  /** Answers a question for a transfer. */
  transfer: (session: TransferSession) => unknown;
  close(): Promise<void>;
}

export const soaText = (serial: number): string => `ns1.example. host.example. ${serial} 3600 600 86400 300`;

export function record(name: string, type: number, rdata: string, ttl = 300): WireRecord {
  return { name, type, class: CLASS.IN, ttl, rdata };
}

export const soaRecord = (name: string, serial: number): WireRecord =>
  record(name, TYPE.SOA, soaText(serial));

const TYPES: Readonly<Record<number, string>> = {
  [TYPE.SOA]: 'SOA',
  [TYPE.IXFR]: 'IXFR',
  [TYPE.AXFR]: 'AXFR',
};

/** Reads the questions of a connection. */
function onMessages(socket: Socket, take: (message: Buffer) => void): void {
  let received = Buffer.alloc(0);
  socket.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      take(received.subarray(2, end));
      received = received.subarray(end);
    }
  });
}

/** The caller closes it. */
export async function openMaster(): Promise<ScriptedMaster> {
  const open = new Set<Socket>();
  const tcp = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    onMessages(socket, (message) => {
      const session = sessionOf(message, socket, 'tcp');
      if (session.question.type === TYPE.SOA) answerSoa(session, 'tcp', (answer) => session.raw(answer));
      else void master.transfer(session);
    });
  });
  const port = await freePort();
  await listen(tcp, port);
  const udp = createSocket('udp4');
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  udp.on('message', (message: Buffer, from: RemoteInfo) => {
    const session = sessionOf(message, undefined as unknown as Socket, 'udp');
    answerSoa(session, 'udp', (answer) => udp.send(answer, from.port, from.address));
  });

  function sessionOf(message: Buffer, socket: Socket, transport: string): TransferSession {
    const query = decodeQuery(message);
    master.heard.push(`${TYPES[query.questions[0]!.type]} ${transport}${query.tsig ? ' signed' : ''}`);
    const { key } = master;
    const verdict =
      key && verifyMessage(message, (name) => (name === key.name ? key : undefined), { now: now() });
    const signer = key && verdict?.ok ? new StreamSigner(key, verdict.mac) : undefined;
    return new TransferSession(query, socket, signer);
  }

  function answerSoa(
    session: TransferSession,
    transport: 'udp' | 'tcp',
    send: (answer: Buffer) => void,
  ): void {
    const twist = master.soaTwist(transport);
    if (!twist.isSilent) send(session.message(master.soa(session.question.name), twist));
  }

  const master: ScriptedMaster = {
    host: '127.0.0.1',
    port,
    heard: [],
    open,
    soa: () => [],
    soaTwist: () => ({}),
    key: undefined,
    transfer: () => {},
    async close() {
      for (const socket of open) socket.destroy();
      udp.close();
      tcp.close();
      await once(tcp, 'close');
    },
  };
  return master;
}

/** A master of one test. */
export async function startMaster(): Promise<ScriptedMaster> {
  const master = await openMaster();
  onTestFinished(() => master.close());
  return master;
}
