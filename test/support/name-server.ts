import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type Socket as Connection, createServer, type Server } from 'node:net';
import { TYPE } from '../../src/dns/record-types.ts';
import { CLASS, OPCODE, RCODE } from '../../src/dns/wire/codes.ts';
import {
  type DecodedMessage,
  decodeQuery,
  encodeMessage,
  type WireRecord,
} from '../../src/dns/wire/message.ts';
import { signMessage, type TsigSecret, tsigErrorRecord, verifyMessage } from '../../src/dns/wire/tsig.ts';
import { freePort, listen } from './free-port.ts';

/** What a scripted server makes of a question. */
export interface Behaviour {
  /** The serial that it has; undefined for none. */
  readonly serial?: number;
  readonly rcode?: number;
  readonly aa?: boolean;
  /** Says nothing. */
  readonly isSilent?: boolean;
  /** Sets TC by UDP. */
  readonly isTruncated?: boolean;
  /** Answers from another port. */
  readonly isFromElsewhere?: boolean;
  /** Answers with another id, or for another name. */
  readonly id?: number;
  readonly name?: string;
  /** Leaves the signature out, or makes it with another key. */
  readonly signature?: 'none' | TsigSecret;
}

interface Asked {
  readonly name: string;
  readonly opcode: number;
  readonly transport: 'udp' | 'tcp';
  readonly isSigned: boolean;
}

/** A name server on loopback that answers as a test says, by UDP and TCP. */
export interface ScriptedServer {
  readonly host: string;
  readonly port: number;
  /** Everything that it was asked or told. */
  readonly heard: Asked[];
  /** Makes up its mind for each question, by the name. */
  answer: (name: string, transport: 'udp' | 'tcp') => Behaviour;
  /** Makes up its mind for each NOTIFY. */
  notified: (name: string) => Behaviour;
  key: TsigSecret | undefined;
  close(): Promise<void>;
}

function soaOf(name: string, serial: number): WireRecord {
  const rdata = `ns1.example. host.example. ${serial} 3600 600 86400 3600`;
  return { name, type: TYPE.SOA, class: CLASS.IN, ttl: 60, rdata };
}

function encodeAnswer(query: DecodedMessage, behaviour: Behaviour, transport: 'udp' | 'tcp'): Buffer {
  const [question] = query.questions;
  const { serial, rcode = RCODE.NOERROR, aa = true, isTruncated = false } = behaviour;
  const name = behaviour.name ?? question!.name;
  const tc = isTruncated && transport === 'udp';
  return encodeMessage({
    header: { ...query.header, id: behaviour.id ?? query.header.id, qr: true, aa, tc, rcode },
    questions: [{ ...question!, name }],
    answers: serial === undefined || tc ? [] : [soaOf(name, serial)],
    authority: [],
    additional: [],
  });
}

function signed(query: Buffer, answer: Buffer, key: TsigSecret, signature: Behaviour['signature']): Buffer {
  const time = Math.floor(Date.now() / 1000);
  const verdict = verifyMessage(query, (name) => (name === key.name ? key : undefined), { now: time });
  if (!verdict.ok) {
    answer[3] = (answer[3]! & 0xf0) | RCODE.NOTAUTH;
    return tsigErrorRecord(answer, verdict, time);
  }
  if (signature === 'none') return answer;
  return signMessage(answer, signature ?? key, { time, priorMac: verdict.mac }).message;
}

/** Binds both transports to one port. */
async function bindBoth(port: number): Promise<{ udp: Socket; tcp: Server }> {
  const tcp = createServer();
  await listen(tcp, port);
  const udp = createSocket('udp4');
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return { udp, tcp };
}

/** @param port a free one by default */
export async function startNameServer(port?: number): Promise<ScriptedServer> {
  const bound = port ?? (await freePort());
  const { udp, tcp } = await bindBoth(bound);
  const elsewhere = createSocket('udp4');
  const connections = new Set<Connection>();

  function respond(
    message: Buffer,
    transport: 'udp' | 'tcp',
  ): { reply: Buffer; behaviour: Behaviour } | undefined {
    const query = decodeQuery(message);
    const { name } = query.questions[0]!;
    const { opcode } = query.header;
    server.heard.push({ name, opcode, transport, isSigned: query.tsig !== undefined });
    const behaviour = opcode === OPCODE.NOTIFY ? server.notified(name) : server.answer(name, transport);
    if (behaviour.isSilent) return undefined;
    const answer = encodeAnswer(query, behaviour, transport);
    const reply =
      server.key === undefined ? answer : signed(message, answer, server.key, behaviour.signature);
    return { reply, behaviour };
  }

  udp.on('message', (message: Buffer, from: RemoteInfo) => {
    const response = respond(message, 'udp');
    if (response === undefined) return;
    const socket = response.behaviour.isFromElsewhere ? elsewhere : udp;
    socket.send(response.reply, from.port, from.address);
  });
  tcp.on('connection', (connection: Connection) => {
    connections.add(connection);
    connection.on('error', () => {});
    connection.on('close', () => connections.delete(connection));
    connection.on('data', (data: Buffer) => {
      const response = respond(data.subarray(2), 'tcp');
      if (response === undefined) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(response.reply.length);
      connection.write(Buffer.concat([length, response.reply]));
    });
  });

  const server: ScriptedServer = {
    host: '127.0.0.1',
    port: bound,
    heard: [],
    answer: () => ({ rcode: RCODE.REFUSED }),
    notified: () => ({}),
    key: undefined,
    async close() {
      for (const connection of connections) connection.destroy();
      udp.close();
      elsewhere.close();
      tcp.close();
      await once(tcp, 'close');
    },
  };
  return server;
}
