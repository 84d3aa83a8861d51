import { HEADER_LENGTH } from '../../src/dns/encoding/header.ts';
import { signMessage, type TsigSecret } from '../../src/dns/wire/tsig.ts';
import { messageCase, randomOctets, withFault } from '../../test/fuzz/wire-cases.ts';
import { type Ask, encodeAsk } from '../../test/support/dns-client.ts';
import type { Random } from '../../test/support/random.ts';

/** A message to the hidden primary. */
export interface Sent {
  readonly kind: string;
  readonly octets: Buffer;
  /** It is signed rightly: who sends it is no stranger. */
  readonly isKnown: boolean;
}

export interface Ground {
  readonly key: TsigSecret;
  /** Names of zones, of the catalog, and some that are not there. */
  readonly names: readonly string[];
}

const TYPES: readonly Ask['type'][] = ['SOA', 'SOA', 'IXFR', 'AXFR', 'A', 'ANY', 'TSIG', 'OPT'];
const COUNTS_AT = 4;
const MAX_STREAM = 65_535;
/** What a name may have in labels of one octet. */
const MAX_LABELS = 127;
const now = () => Math.floor(Date.now() / 1000);

/** Somebody who has the name of the key, and not its secret. */
const guessed = (key: TsigSecret): TsigSecret => ({ ...key, secret: Buffer.from('guessed') });
const unknown: TsigSecret = {
  name: 'no.such.key.',
  algorithm: 'hmac-sha512',
  secret: Buffer.from('unknown'),
};

function ask(random: Random, { names }: Ground): Ask {
  const type = random.pick(TYPES);
  return {
    name: random.pick(names),
    type,
    ...(random.chance(0.5) ? { udpSize: random.pick([0, 512, 1232, 4096, 65_535]) } : {}),
    ...(random.chance(0.1) ? { ednsVersion: random.below(256) } : {}),
    ...(type === 'IXFR' && random.chance(0.9) ? { serial: random.below(2 ** 32) } : {}),
  };
}

function signed(random: Random, ground: Ground): Sent {
  const clockOff = random.chance(0.2) ? random.pick([-1000, 1000, -299, 299]) : 0;
  const { octets } = encodeAsk({ ...ask(random, ground), key: ground.key, clockOff });
  return { kind: 'signed rightly', octets, isKnown: true };
}

const stranger = (kind: string, octets: Buffer): Sent => ({ kind, octets, isKnown: false });

function signedWrongly(random: Random, ground: Ground): Sent {
  const key = random.pick([guessed(ground.key), unknown]);
  return stranger('signed wrongly', encodeAsk({ ...ask(random, ground), key }).octets);
}

/** What is signed of a message, about: without its id, and without the case of letters (RFC 8945 section 4.3.3). */
const signedPart = (octets: Buffer): string => octets.toString('latin1', 2).toLowerCase();

/** One that was signed rightly, with faults. */
function faulty(random: Random, ground: Ground): Sent {
  const { octets } = signed(random, ground);
  let message = octets;
  for (let faults = 1 + random.below(3); faults > 0; faults -= 1) message = withFault(random, message);
  const isKnown = message.length > 1 && signedPart(message) === signedPart(octets);
  return { kind: 'signed, with faults', octets: message, isKnown };
}

/** Counts that say another thing than the message. */
function lyingCounts(random: Random, ground: Ground): Sent {
  const honest = encodeAsk({ ...ask(random, ground), key: ground.key }).octets;
  const octets = Buffer.from(honest);
  for (let place = 0; place < 4; place += 1) {
    if (random.chance(0.5))
      octets.writeUInt16BE(random.pick([0, 1, 2, 31, 32, 65_535]), COUNTS_AT + 2 * place);
  }
  return { kind: 'lying counts', octets, isKnown: signedPart(octets) === signedPart(honest) };
}

function head(random: Random, additional: number): Buffer {
  const octets = Buffer.alloc(HEADER_LENGTH);
  octets.writeUInt16BE(random.below(65_536), 0);
  octets.writeUInt16BE(1, COUNTS_AT);
  octets.writeUInt16BE(additional, COUNTS_AT + 6);
  return octets;
}

/** Pointers to pointers, and names that are as long as names may be, at each of many pointers. */
function pointerChain(random: Random, limit: number): Sent {
  const labels = Buffer.from('0161'.repeat(random.below(MAX_LABELS + 3)), 'hex');
  const parts = [head(random, random.pick([1, 8, 32])), labels, Buffer.of(0, 0, 6, 0, 1)];
  let length = parts.reduce((sum, part) => sum + part.length, 0);
  const records = random.below(40);
  for (let record = 0; record < records && length < limit - 300; record += 1) {
    const target = random.chance(0.8) ? random.below(Math.min(length, 0x3fff)) : 0x3fff;
    const pointer = Buffer.of(0xc0 | (target >> 8), target & 0xff);
    const body = Buffer.of(0, random.pick([2, 6, 33, 41, 250]), 0, 1, 0, 0, 0, 0, 0, 2);
    parts.push(pointer, body, pointer);
    length += 14;
  }
  return stranger('pointer chains', Buffer.concat(parts));
}

/** As much as there is room for, of something that has to be read over. */
function stuffed(random: Random, ground: Ground, limit: number): Sent {
  const room = limit - 300;
  const unit = random.pick([
    Buffer.of(0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0),
    Buffer.of(0xc0, 0x0c, 0, 6, 0, 1, 0, 0, 0, 0, 0, 0),
    Buffer.of(0, 10, 0, 0),
    Buffer.of(0x3f),
  ]);
  const filling = Buffer.alloc(1 + random.below(room), unit);
  const start = encodeAsk(ask(random, ground)).octets;
  const octets = Buffer.concat([start, filling]);
  octets.writeUInt16BE(
    random.pick([1, 32, Math.floor(filling.length / unit.length) & 0xffff]),
    COUNTS_AT + 6,
  );
  return stranger('stuffed', octets);
}

/** A TSIG of octets at random, or two of them, or one before other records. */
function tsigGarbage(random: Random, ground: Ground): Sent {
  const plain = encodeAsk(ask(random, ground)).octets;
  const key = { ...random.pick([ground.key, unknown]), secret: Buffer.from('garbage') };
  const other = { time: now(), otherData: Buffer.alloc(random.below(200)), error: random.below(65_536) };
  let { message } = signMessage(plain, key, { ...other, fudge: random.below(65_536) });
  if (random.chance(0.3)) ({ message } = signMessage(message, ground.key, { time: now() }));
  const faults = random.below(3);
  for (let fault = 0; fault < faults; fault += 1) message = withFault(random, message);
  return stranger('TSIG garbage', message);
}

/**
 * One message, as long as may be sent.
 * @param isStream whether it goes by TCP
 */
export function draw(random: Random, ground: Ground, isStream: boolean): Sent {
  const limit = isStream ? MAX_STREAM : 4000;
  const make = random.weighted<() => Sent>([
    [2, () => signed(random, ground)],
    [2, () => stranger('not signed', encodeAsk(ask(random, ground)).octets)],
    [2, () => signedWrongly(random, ground)],
    [4, () => faulty(random, ground)],
    [2, () => lyingCounts(random, ground)],
    [2, () => pointerChain(random, limit)],
    [1, () => stuffed(random, ground, limit)],
    [2, () => tsigGarbage(random, ground)],
    [2, () => stranger('any message, with faults', messageCase(random))],
    [1, () => stranger('octets at random', randomOctets(random))],
  ]);
  const sent = make();
  return { ...sent, octets: Buffer.from(sent.octets.subarray(0, limit)) };
}
