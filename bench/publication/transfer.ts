/** A client of the hidden primary: one AXFR or IXFR, signed and verified, on a connection of its own. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { TYPE } from '../../src/dns/record-types.ts';
import { CLASS } from '../../src/dns/wire/codes.ts';
import { decodeMessage, encodeMessage, type WireRecord } from '../../src/dns/wire/message.ts';
import { soaSerial } from '../../src/dns/wire/soa.ts';
import { signMessage, type TsigSecret, TsigStreamVerifier } from '../../src/dns/wire/tsig.ts';

const ID = 4711;
const MAX_RECORDS = 65_535;

/** The hidden primary, and the key that it knows. */
export interface Upstream {
  readonly port: number;
  readonly key: TsigSecret;
}

export interface Transferred {
  /** From the first packet to the last, in milliseconds. */
  readonly ms: number;
  /** Of all messages. */
  readonly bytes: number;
  readonly messages: number;
  readonly serial: number;
  /** From the first SOA to the last. */
  readonly records: readonly WireRecord[];
}

const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

function soaOf(name: string, serial: number): WireRecord {
  return { name, type: TYPE.SOA, class: CLASS.IN, ttl: 0, rdata: `invalid. invalid. ${serial} 0 0 0 0` };
}

function questionFor(name: string, from: number | undefined): Buffer {
  const flags = { qr: false, aa: false, tc: false, rd: false, ra: false, ad: false, cd: false };
  return encodeMessage({
    header: { id: ID, opcode: 0, rcode: 0, ...flags },
    questions: [{ name, type: from === undefined ? TYPE.AXFR : TYPE.IXFR, class: CLASS.IN }],
    answers: [],
    authority: from === undefined ? [] : [soaOf(name, from)],
    additional: [],
  });
}

/** Sends a message, ends this side, and takes all that comes until the other one ends, too. */
async function exchange(port: number, message: Buffer): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  socket.end(Buffer.concat([length, message]));
  await once(socket, 'end');
  socket.destroy();
  return Buffer.concat(parts);
}

function* messagesOf(stream: Buffer): Generator<Buffer> {
  for (let at = 0; at < stream.length; ) {
    const end = at + 2 + stream.readUInt16BE(at);
    yield stream.subarray(at + 2, end);
    at = end;
  }
}

/**
 * Transfers a zone.
 * @param from the serial that the client has, for IXFR; without it AXFR
 * @throws if the transfer is refused, not whole, or not signed
 */
export async function transfer({ port, key }: Upstream, name: string, from?: number): Promise<Transferred> {
  const { message, mac } = signMessage(questionFor(name, from), key, { time: nowInSeconds() });
  const begun = performance.now();
  const stream = await exchange(port, message);
  const ms = performance.now() - begun;
  const verifier = new TsigStreamVerifier(key, mac);
  const messages = [...messagesOf(stream)];
  const records = messages.flatMap((one) => {
    const verdict = verifier.accept(one, nowInSeconds());
    if (!verdict.ok) throw new Error(`The transfer of ${name} has a wrong signature: ${verdict.error}.`);
    const { header, answers } = decodeMessage(verdict.message, { maxRecords: MAX_RECORDS });
    if (header.rcode !== 0) throw new Error(`The transfer of ${name} was answered RCODE ${header.rcode}.`);
    return answers;
  });
  const [first, last] = [records[0], records.at(-1)];
  if (!verifier.isCovered || first?.type !== TYPE.SOA || last?.rdata !== first.rdata) {
    throw new Error(`The transfer of ${name} is not whole.`);
  }
  return { ms, bytes: stream.length, messages: messages.length, serial: soaSerial(first.rdata), records };
}
