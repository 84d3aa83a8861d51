import fc from 'fast-check';
import { parseRdata } from '../../src/dns/parse-rdata.ts';
import { RECORD_TYPES, typeNumber } from '../../src/dns/record-types.ts';
import { CLASS } from '../../src/dns/wire/codes.ts';
import { encodeMessage, type Question, type WireRecord } from '../../src/dns/wire/message.ts';
import { signMessage, type TsigSecret } from '../../src/dns/wire/tsig.ts';
import type { Random } from '../support/random.ts';
import { RDATA } from '../support/rdata-generators.ts';

/** Messages to be read: valid ones, valid ones with faults, and octets at random. */

const SAMPLES = 40;
const SEED = 20_240_101;
const MAX_RANDOM = 300;
const NAMES = ['.', 'example.com.', '*.example.com.', 'a.b.c.d.example.com.', 'x\\.y.example.net.'];
/** Octets that mean something: roots, short and long labels, pointers, types, ends of numbers. */
const SPECIAL = [0, 1, 2, 0x0c, 0x29, 0x3f, 0x40, 0x80, 0xc0, 0xc1, 0xfa, 0xff];

export const NOW = 1_800_000_000;

export const KEYS: readonly TsigSecret[] = (
  ['hmac-sha1', 'hmac-sha224', 'hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const
).map((algorithm) => ({ name: `${algorithm}.example.`, algorithm, secret: Buffer.from(algorithm) }));

const RECORDS: readonly Omit<WireRecord, 'name'>[] = RECORD_TYPES.flatMap((type) =>
  fc.sample(RDATA[type], { numRuns: SAMPLES, seed: SEED }).flatMap((text) => {
    const result = parseRdata(type, text);
    return result.ok ? [{ type: typeNumber(type), class: CLASS.IN, ttl: 300, rdata: result.rdata }] : [];
  }),
);

function records(random: Random): WireRecord[] {
  return Array.from({ length: random.below(5) }, () => ({
    ...random.pick(RECORDS),
    name: random.pick(NAMES),
  }));
}

function question(random: Random): Question {
  return { name: random.pick(NAMES), type: random.pick([1, 6, 251, 252, 255]), class: CLASS.IN };
}

function validMessage(random: Random): Buffer {
  const flags = {
    qr: random.chance(0.5),
    aa: random.chance(0.5),
    tc: false,
    rd: false,
    ra: false,
    ad: false,
    cd: false,
  };
  const contents = {
    header: {
      id: random.below(65_536),
      opcode: random.pick([0, 0, 4, 5]),
      rcode: random.below(16),
      ...flags,
    },
    questions: random.chance(0.9) ? [question(random)] : [],
    answers: records(random),
    authority: records(random),
    additional: records(random),
  };
  const edns = { udpSize: 1232, version: 0, doBit: false, extendedRcode: 0 };
  return encodeMessage(random.chance(0.5) ? { ...contents, edns } : contents, {
    compress: random.chance(0.8),
  });
}

export function randomOctets(random: Random): Buffer {
  const isSpecial = random.chance(0.5);
  return Buffer.from(
    Array.from({ length: random.below(MAX_RANDOM) }, () =>
      isSpecial ? random.pick(SPECIAL) : random.below(256),
    ),
  );
}

const octet = (random: Random): number => (random.chance(0.7) ? random.pick(SPECIAL) : random.below(256));

/** A fault: octets that are changed, put in, taken out, doubled, or cut off. */
export function withFault(random: Random, message: Buffer): Buffer {
  const at = random.below(message.length + 1);
  const [head, rest] = [message.subarray(0, at), message.subarray(at)];
  const length = 1 + random.below(8);
  return random.weighted<() => Buffer>([
    [6, () => Buffer.concat([head, Buffer.of(octet(random)), rest.subarray(1)])],
    [1, () => Buffer.concat([head, Buffer.of(octet(random)), rest])],
    [1, () => Buffer.concat([head, rest.subarray(length)])],
    [1, () => Buffer.concat([head, rest.subarray(0, length), rest])],
    [1, () => Buffer.from(head)],
  ])();
}

/** One message; half of those that are valid are signed. */
export function messageCase(random: Random): Buffer {
  if (random.chance(0.1)) return randomOctets(random);
  let message = validMessage(random);
  if (random.chance(0.5)) message = signMessage(message, random.pick(KEYS), { time: NOW }).message;
  for (let faults = random.below(4); faults > 0; faults -= 1) message = withFault(random, message);
  return message;
}

/** Rdata to be read: octets of a valid one with faults, or at random, and a type that may be another one. */
export function rdataCase(
  random: Random,
  encode: (record: Omit<WireRecord, 'name'>) => Buffer,
): { readonly type: number; readonly octets: Buffer } {
  const record = random.pick(RECORDS);
  const octets = random.chance(0.2) ? randomOctets(random) : withFault(random, encode(record));
  return { type: random.chance(0.1) ? random.pick(RECORDS).type : record.type, octets };
}
