import fc from 'fast-check';
import { parseRdata } from '../../src/dns/parse-rdata.ts';
import { RECORD_TYPES, TYPE, typeNumber } from '../../src/dns/record-types.ts';
import { CLASS } from '../../src/dns/wire/codes.ts';
import { encodeMessage, type Question, type WireRecord } from '../../src/dns/wire/message.ts';
import type { TsigSecret } from '../../src/dns/wire/tsig.ts';
import type { Random } from '../support/random.ts';
import { RDATA } from '../support/rdata-generators.ts';
import { StreamSigner } from '../support/stream-signer.ts';
import { randomOctets, withFault } from './wire-cases.ts';

/** Answers to AXFR and IXFR: valid ones, ones whose records, messages or octets are not as they should be. */

const SAMPLES = 20;
const SEED = 20_240_202;
const ID = 4711;
/** What the client of an IXFR has. */
const SERIAL = 10;
const ZONE = 'example.com.';
const OUTSIDE = ['example.org.', '.', 'com.', 'x\\.example.com.', 'notexample.com.'];
const INSIDE = [ZONE, `www.${ZONE}`, `*.${ZONE}`, `a.b.c.${ZONE}`, `x\\.y.${ZONE}`];
/** Types that may have pointers, types that nobody knows, and types of questions. */
const OTHER_TYPES = [7, 14, 17, 18, 26, 46, 128, 250, 252, 65_280];

const KEY: TsigSecret = { name: 'key.example.', algorithm: 'hmac-sha256', secret: Buffer.from('secret') };
/** Few enough that their signatures are never old. */
const MAX_KEPT = 500;
const REQUEST_MAC = Buffer.alloc(32, 1);

type Rest = Pick<WireRecord, 'type' | 'rdata'>;

const KNOWN: readonly Rest[] = RECORD_TYPES.flatMap((type) =>
  fc.sample(RDATA[type], { numRuns: SAMPLES, seed: SEED }).flatMap((text) => {
    const result = parseRdata(type, text);
    return result.ok && type !== 'SOA' ? [{ type: typeNumber(type), rdata: result.rdata }] : [];
  }),
);

/** An answer, as its messages arrive. */
export interface TransferCase {
  readonly question: Question;
  readonly id: number;
  /** Of an IXFR. */
  readonly serial: number | undefined;
  readonly key: TsigSecret | undefined;
  readonly requestMac: Buffer;
  readonly messages: readonly Buffer[];
}

const soa = (serial: number, name = ZONE): WireRecord => ({
  name,
  type: TYPE.SOA,
  class: CLASS.IN,
  ttl: 300,
  rdata: `ns1.${ZONE} host.${ZONE} ${serial} 3600 600 86400 300`,
});

function otherType(random: Random): Rest {
  const octets = randomOctets(random).subarray(0, random.below(40));
  const rdata = octets.length === 0 ? '\\# 0' : `\\# ${octets.length} ${octets.toString('hex')}`;
  return { type: random.pick(OTHER_TYPES), rdata };
}

function record(random: Random): WireRecord {
  const name = random.chance(0.995) ? random.pick(INSIDE) : random.pick(OUTSIDE);
  const rest = random.chance(0.9) ? random.pick(KNOWN) : otherType(random);
  return { name, class: random.chance(0.998) ? CLASS.IN : 3, ttl: random.below(2 ** 32), ...rest };
}

const some = (random: Random, most: number): WireRecord[] =>
  Array.from({ length: random.below(most) }, () => record(random));

function differences(random: Random): WireRecord[] {
  const steps = 1 + random.below(3);
  const last = SERIAL + steps;
  const inner = Array.from({ length: steps }, (_, at) => [
    soa(SERIAL + at),
    ...some(random, 5),
    soa(SERIAL + at + 1),
    ...some(random, 5),
  ]);
  return [soa(last), ...inner.flat(), soa(last)];
}

function answer(random: Random, isIxfr: boolean): WireRecord[] {
  if (isIxfr && random.chance(0.1)) return [soa(SERIAL - random.below(2))];
  if (isIxfr && random.chance(0.8)) return differences(random);
  return [soa(SERIAL + 1), ...some(random, 20), soa(SERIAL + 1)];
}

/** Records that are taken out, doubled, moved, or become an SOA. */
function disordered(random: Random, records: readonly WireRecord[]): WireRecord[] {
  const at = random.below(records.length + 1);
  const [head, rest] = [records.slice(0, at), records.slice(at)];
  const stray = soa(SERIAL + random.below(5) - 1, random.chance(0.8) ? ZONE : random.pick(INSIDE));
  return random.pick([
    () => [...head, ...rest.slice(1)],
    () => [...head, ...rest.slice(0, 1), ...rest],
    () => [...head, stray, ...rest],
    () => [...rest, ...head],
    () => head,
    () => [...head, ...rest, ...head],
  ])();
}

/** Stretches of the records, one for each message. */
function stretches(random: Random, records: readonly WireRecord[]): (readonly WireRecord[])[] {
  const parts: (readonly WireRecord[])[] = [];
  for (let at = 0; at < records.length; ) {
    const end = at + 1 + random.below(random.chance(0.5) ? 2 : records.length);
    parts.push(records.slice(at, end));
    at = end;
  }
  return parts;
}

function encoded(random: Random, question: Question, answers: readonly WireRecord[]): Buffer {
  const flags = { aa: true, rd: false, ra: false, ad: false, cd: false };
  const isOdd = random.chance(0.01);
  return encodeMessage(
    {
      header: {
        id: isOdd && random.chance(0.3) ? ID + 1 : ID,
        qr: !isOdd || random.chance(0.8),
        opcode: isOdd ? random.below(16) : 0,
        rcode: isOdd ? random.below(16) : 0,
        tc: isOdd && random.chance(0.3),
        ...flags,
      },
      questions: random.chance(0.7) ? [question] : [],
      answers,
      authority: [],
      additional: [],
    },
    { compress: random.chance(0.8) },
  );
}

function signed(random: Random, messages: readonly Buffer[], now: number): Buffer[] {
  const signer = new StreamSigner(KEY, REQUEST_MAC);
  const isLeftOut = (at: number) => at > 0 && at < messages.length - 1 && random.chance(0.3);
  return messages.map((one, at) =>
    isLeftOut(at) || random.chance(0.005) ? signer.leaveOut(one) : signer.sign(one, now),
  );
}

/** Messages that are taken out, doubled, exchanged for nonsense, or cut off. */
function spoilt(random: Random, messages: readonly Buffer[]): Buffer[] {
  if (messages.length === 0) return [randomOctets(random)];
  const at = random.below(messages.length);
  const [head, rest] = [messages.slice(0, at), messages.slice(at)];
  return random.weighted<() => Buffer[]>([
    [8, () => [...head, ...rest.slice(0, 1).map((one) => withFault(random, one)), ...rest.slice(1)]],
    [1, () => [...head, ...rest.slice(1)]],
    [1, () => [...head, ...rest.slice(0, 1), ...rest]],
    [1, () => [...head, randomOctets(random), ...rest.slice(1)]],
    [1, () => [...head]],
  ])();
}

/** An answer as it should be, or with records in disorder; half of them are signed. */
function wellFormed(random: Random, now: number): TransferCase {
  const isIxfr = random.chance(0.5);
  const question = { name: ZONE, type: isIxfr ? TYPE.IXFR : TYPE.AXFR, class: CLASS.IN };
  let records: WireRecord[] = answer(random, isIxfr);
  for (let faults = random.chance(0.4) ? random.below(3) : 0; faults > 0; faults -= 1) {
    records = disordered(random, records);
  }
  const plain = stretches(random, records).map((stretch) => encoded(random, question, stretch));
  const key = random.chance(0.5) ? KEY : undefined;
  const messages = key === undefined ? plain : signed(random, plain, now);
  const serial = isIxfr ? SERIAL : undefined;
  return { question, id: ID, serial, key, requestMac: REQUEST_MAC, messages };
}

/** Answers are made anew now and then; in between, their messages and octets are spoilt in ever other ways. */
export class TransferCases {
  readonly #random: Random;
  readonly #kept: TransferCase[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** @param now in seconds since 1970 */
  next(now: number): TransferCase {
    const random = this.#random;
    const at = random.below(MAX_KEPT);
    const kept = this.#kept[at];
    const isNew = kept === undefined || random.chance(0.1);
    const one = isNew ? wellFormed(random, now) : kept;
    if (isNew) this.#kept[at] = one;
    let { messages } = one;
    const faults = random.chance(isNew ? 0.5 : 0.95) ? 1 + random.below(3) : 0;
    for (let left = faults; left > 0; left -= 1) messages = spoilt(random, messages);
    return { ...one, messages };
  }
}
