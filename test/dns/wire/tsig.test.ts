import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TYPE } from '../../../src/dns/record-types.ts';
import { OPCODE, RCODE } from '../../../src/dns/wire/codes.ts';
import { decodeMessage, encodeMessage, type Header } from '../../../src/dns/wire/message.ts';
import {
  isTsigAlgorithm,
  signMessage,
  type TsigSecret,
  TsigSigner,
  TsigStreamVerifier,
  type TsigVerdict,
  tsigErrorRecord,
  tsigLength,
  verifyMessage,
} from '../../../src/dns/wire/tsig.ts';

interface Exchange {
  readonly name: string;
  readonly algorithm: string;
  readonly secret: string;
  readonly request: string;
  readonly answer: string;
}

interface Golden {
  readonly time: number;
  /** When the late question and the transfer were answered. */
  readonly answeredAt: number;
  /** Questions of dig, answers of BIND 9.18; those of hmac-sha224 are of dnspython 2.3. */
  readonly exchanges: readonly Exchange[];
  /** A question that came 4000 seconds late. */
  readonly late: { readonly request: string; readonly answer: string };
  /** An AXFR in four messages. */
  readonly transfer: { readonly request: string; readonly messages: readonly string[] };
}

const golden: Golden = JSON.parse(readFileSync(new URL('tsig.golden.json', import.meta.url), 'utf8'));
const hex = (text: string): Buffer => Buffer.from(text, 'hex');

function keyOf({ name, algorithm, secret }: Omit<Exchange, 'request' | 'answer'>): TsigSecret {
  if (!isTsigAlgorithm(algorithm)) throw new Error(`Unknown: ${algorithm}`);
  return { name, algorithm, secret: Buffer.from(secret, 'base64') };
}

const NOW = golden.time;
const KEYS = golden.exchanges.map(keyOf);
const KEY = KEYS.find(({ algorithm }) => algorithm === 'hmac-sha256')!;
const findKey = (name: string, algorithm: string): TsigSecret | undefined =>
  KEYS.find((key) => key.name === name && key.algorithm === algorithm);

const HEADER: Header = {
  id: 4711,
  qr: false,
  opcode: OPCODE.QUERY,
  aa: false,
  tc: false,
  rd: false,
  ra: false,
  ad: false,
  cd: false,
  rcode: 0,
};

function messageOf(header: Partial<Header> = {}): Buffer {
  const questions = [{ name: 'example.com.', type: TYPE.AXFR, class: 1 }];
  return encodeMessage({
    header: { ...HEADER, ...header },
    questions,
    answers: [],
    authority: [],
    additional: [],
  });
}

function requireOk(verdict: TsigVerdict): TsigVerdict & { readonly ok: true } {
  if (!verdict.ok) throw new Error(verdict.error);
  return verdict;
}

describe('what others signed', () => {
  it.each(golden.exchanges)('is verified: $algorithm', ({ name, request, answer }) => {
    const asked = requireOk(verifyMessage(hex(request), findKey, { now: NOW }));
    expect(asked.key.name).toBe(name);
    const answered = requireOk(verifyMessage(hex(answer), findKey, { now: NOW, priorMac: asked.mac }));
    expect(decodeMessage(answered.message, { maxRecords: 10 })).toMatchObject({
      header: { qr: true, rcode: RCODE.NOERROR },
      answers: [{ name: 'example.com.', type: TYPE.SOA }],
      tsig: undefined,
    });
  });

  it.each(golden.exchanges)('is what we sign: $algorithm', (exchange) => {
    const asked = requireOk(verifyMessage(hex(exchange.request), findKey, { now: NOW }));
    const again = signMessage(asked.message, keyOf(exchange), { time: asked.record.time });
    expect(again.message.toString('hex')).toBe(exchange.request);
    expect(again.mac).toEqual(asked.mac);
  });

  it.each(golden.exchanges)('is not taken with one bit changed: $algorithm', ({ request }) => {
    // All but the identifier, which is not signed: the TSIG has the one that is.
    const original = hex(request);
    for (let at = 2; at < original.length; at += 1) {
      const changed = Buffer.from(original);
      changed[at]! ^= 1;
      expect(verifyMessage(changed, findKey, { now: NOW }).ok, `octet ${at}`).toBe(false);
    }
  });

  it('is verified where it says that we were late', () => {
    const asked = requireOk(verifyMessage(hex(golden.late.request), findKey, { now: NOW - 4000 }));
    const answer = verifyMessage(hex(golden.late.answer), findKey, { now: NOW - 4000, priorMac: asked.mac });
    expect(answer).toMatchObject({ ok: false, error: 'BADTIME', reported: true, key: KEY });
    expect(!answer.ok && answer.record?.otherData.readUIntBE(0, 6)).toBe(golden.answeredAt);
  });

  it('is what we answer to one who is late', () => {
    const asked = verifyMessage(hex(golden.late.request), findKey, { now: NOW });
    const answer = hex(golden.late.answer);
    const theirs = verifyMessage(answer, findKey, { now: NOW - 4000 });
    if (asked.ok || theirs.ok) throw new Error('Both are late.');
    const length = tsigLength(KEY);
    const unsigned = Buffer.from(answer.subarray(0, answer.length - length));
    unsigned.writeUInt16BE(unsigned.readUInt16BE(10) - 1, 10);
    expect(tsigErrorRecord(unsigned, asked, golden.answeredAt).toString('hex')).toBe(golden.late.answer);
  });

  it('is verified message by message', () => {
    const asked = requireOk(verifyMessage(hex(golden.transfer.request), findKey, { now: NOW }));
    const verifier = new TsigStreamVerifier(KEY, asked.mac);
    const signer = new TsigSigner(KEY, asked.mac);
    for (const message of golden.transfer.messages) {
      const verdict = verifier.accept(hex(message), NOW);
      expect(verdict).toMatchObject({ ok: true });
      expect(verifier.isCovered).toBe(true);
      expect(
        signer.sign(verdict.ok ? verdict.message : Buffer.alloc(0), golden.answeredAt).toString('hex'),
      ).toBe(message);
    }
  });
});

describe('a message', () => {
  it('that is not signed is unsigned', () => {
    const verdict = verifyMessage(messageOf(), findKey, { now: NOW });
    expect(verdict).toMatchObject({ ok: false, error: 'unsigned', keyName: undefined });
  });

  it.each<[string, Partial<TsigSecret>]>([
    ['of an unknown name', { name: 'other.' }],
    ['of another algorithm', { algorithm: 'hmac-sha512' }],
  ])('with a key %s is BADKEY', (_, change) => {
    const { message } = signMessage(messageOf(), { ...KEY, ...change }, { time: NOW });
    expect(verifyMessage(message, findKey, { now: NOW })).toMatchObject({
      ok: false,
      error: 'BADKEY',
      keyName: change.name ?? KEY.name,
      key: undefined,
    });
  });

  it('with another secret is BADSIG', () => {
    const { message } = signMessage(messageOf(), { ...KEY, secret: Buffer.from('other') }, { time: NOW });
    expect(verifyMessage(message, findKey, { now: NOW })).toMatchObject({ error: 'BADSIG', key: undefined });
  });

  it('is BADSIG for another request than the one that it answers', () => {
    const priorMac = Buffer.alloc(32, 1);
    const { message } = signMessage(messageOf(), KEY, { time: NOW, priorMac });
    expect(verifyMessage(message, findKey, { now: NOW, priorMac }).ok).toBe(true);
    for (const other of [undefined, Buffer.alloc(32, 2)]) {
      expect(verifyMessage(message, findKey, { now: NOW, priorMac: other })).toMatchObject({
        error: 'BADSIG',
      });
    }
  });

  it.each([
    [-301, 'BADTIME'],
    [-300, undefined],
    [300, undefined],
    [301, 'BADTIME'],
  ])('is in time within 300 seconds, not at %i', (seconds, error) => {
    const { message } = signMessage(messageOf(), KEY, { time: NOW });
    const verdict = verifyMessage(message, findKey, { now: NOW + seconds });
    expect(verdict.ok ? undefined : verdict.error).toBe(error);
  });

  it('may be signed after 2106', () => {
    const time = 2 ** 40 + 1;
    const { message } = signMessage(messageOf(), KEY, { time });
    expect(verifyMessage(message, findKey, { now: time })).toMatchObject({ ok: true, record: { time } });
  });

  it('is verified with the identifier that it had when it was signed', () => {
    const { message } = signMessage(messageOf(), KEY, { time: NOW });
    message.writeUInt16BE(1, 0);
    expect(requireOk(verifyMessage(message, findKey, { now: NOW })).message).toEqual(messageOf());
  });

  it('with a name of its key in capitals is verified', () => {
    const { message } = signMessage(messageOf(), KEY, { time: NOW });
    const at = message.lastIndexOf(Buffer.from('\x02k2\x00'));
    message[at + 1] = 'K'.charCodeAt(0);
    expect(verifyMessage(message, findKey, { now: NOW }).ok).toBe(true);
  });

  /** The MAC cut to so many octets, or followed by zeros. */
  function withMac(length: number): Buffer {
    const { message, mac } = signMessage(messageOf(), KEY, { time: NOW });
    const at = message.lastIndexOf(mac);
    const head = Buffer.from(message.subarray(0, at));
    const rest = message.subarray(at + mac.length);
    head.writeUInt16BE(length, at - 2);
    const rdataAt = message.indexOf('\x0bhmac-sha256') - 2;
    head.writeUInt16BE(message.readUInt16BE(rdataAt) + length - mac.length, rdataAt);
    return Buffer.concat([head, Buffer.concat([mac, Buffer.alloc(64)]).subarray(0, length), rest]);
  }

  it.each([
    [0, 'FORMERR'],
    [15, 'FORMERR'],
    [16, 'BADTRUNC'],
    [31, 'BADTRUNC'],
    [33, 'FORMERR'],
  ])('whose MAC of 32 octets has %i is %s', (length, error) => {
    expect(verifyMessage(withMac(length), findKey, { now: NOW })).toMatchObject({ ok: false, error });
  });

  it.each<[string, (message: Buffer) => Buffer]>([
    [
      'has a record after its TSIG',
      (message) => {
        message.writeUInt16BE(2, 10);
        return Buffer.concat([message, hex('0000010001000000000004c0000201')]);
      },
    ],
    ['has octets after its TSIG', (message) => Buffer.concat([message, Buffer.alloc(1)])],
    [
      'has its TSIG among the answers',
      (message) => {
        message.writeUInt16BE(1, 6);
        message.writeUInt16BE(0, 10);
        return message;
      },
    ],
    [
      'has a TSIG of another class',
      (message) => {
        message[message.indexOf('\x00\xfa\x00\xff', 0, 'latin1') + 3] = 1;
        return message;
      },
    ],
    [
      'has a TSIG with a TTL',
      (message) => {
        message[message.indexOf('\x00\xfa\x00\xff', 0, 'latin1') + 7] = 1;
        return message;
      },
    ],
    ['is cut', (message) => message.subarray(0, -1)],
    ['has no header', (message) => message.subarray(0, 11)],
  ])('is FORMERR that %s', (_, change) => {
    const { message } = signMessage(messageOf(), KEY, { time: NOW });
    expect(verifyMessage(change(message), findKey, { now: NOW })).toMatchObject({
      ok: false,
      error: 'FORMERR',
    });
  });

  it.each(KEYS)('grows by what tsigLength says: $algorithm', (key) => {
    const otherData = Buffer.alloc(6);
    const { message } = signMessage(messageOf(), key, { time: NOW, otherData });
    expect(message.length - messageOf().length).toBe(tsigLength(key));
  });
});

describe('the answer to a request that is not accepted', () => {
  function refused(key: TsigSecret, now = NOW): { verdict: TsigVerdict & { ok: false }; mac: Buffer } {
    const { message, mac } = signMessage(messageOf(), key, { time: NOW });
    const verdict = verifyMessage(message, findKey, { now });
    if (verdict.ok) throw new Error('It is accepted.');
    return { verdict, mac };
  }
  const answer = messageOf({ qr: true, rcode: RCODE.NOTAUTH });

  it.each<[string, TsigSecret]>([
    ['BADKEY', { ...KEY, name: 'other.' }],
    ['BADSIG', { ...KEY, secret: Buffer.from('other') }],
  ])('says %s without a signature', (error, key) => {
    const { verdict, mac } = refused(key);
    const told = verifyMessage(tsigErrorRecord(answer, verdict, NOW), () => key, { now: NOW, priorMac: mac });
    expect(told).toMatchObject({ ok: false, error, reported: true, keyName: key.name, key: undefined });
    expect(!told.ok && told.record?.mac).toHaveLength(0);
  });

  it('says BADTIME with a signature and both times', () => {
    const { verdict, mac } = refused(KEY, NOW + 5000);
    const told = verifyMessage(tsigErrorRecord(answer, verdict, NOW + 5000), findKey, {
      now: NOW,
      priorMac: mac,
    });
    expect(told).toMatchObject({ ok: false, error: 'BADTIME', reported: true, key: KEY });
    expect(!told.ok && told.record?.otherData.readUIntBE(0, 6)).toBe(NOW + 5000);
  });

  it.each(['FORMERR', 'unsigned'] as const)('has no TSIG for %s', (error) => {
    const failure = {
      ok: false,
      error,
      keyName: undefined,
      reported: false,
      key: undefined,
      record: undefined,
    } as const;
    expect(tsigErrorRecord(answer, failure, NOW)).toEqual(answer);
  });
});

describe('a transfer', () => {
  const REQUEST_MAC = Buffer.alloc(32, 7);
  const message = (id: number): Buffer => messageOf({ qr: true, id });

  /** A stream where only some messages are signed, as RFC 8945 section 5.3.1 lets others do. */
  function stream(count: number, isSigned: (index: number) => boolean): Buffer[] {
    let [priorMac, timersOnly, pending] = [REQUEST_MAC, false, [] as Buffer[]];
    return Array.from({ length: count }, (_, index) => {
      const plain = message(index);
      if (!isSigned(index)) {
        pending.push(plain);
        return plain;
      }
      const { message: signed } = signMessage(plain, KEY, { time: NOW, priorMac, timersOnly });
      const result = pending.length === 0 ? signed : resigned(signed, priorMac, [...pending, plain]);
      priorMac = Buffer.from(result.subarray(-32 - 6, -6));
      [timersOnly, pending] = [true, []];
      return result;
    });
  }

  /** The MAC made by hand: that of the message before, all messages since, the timers. */
  function resigned(signed: Buffer, priorMac: Buffer, messages: readonly Buffer[]): Buffer {
    const timers = Buffer.alloc(8);
    timers.writeUIntBE(NOW, 0, 6);
    timers.writeUInt16BE(300, 6);
    const length = Buffer.of(0, priorMac.length);
    const data = Buffer.concat([length, priorMac, ...messages, timers]);
    const mac = createHmac('sha256', KEY.secret).update(data).digest();
    mac.copy(signed, signed.length - 32 - 6);
    return signed;
  }

  function accepted(messages: readonly Buffer[]): {
    accepted: number;
    isCovered: boolean;
    error: string | undefined;
  } {
    const verifier = new TsigStreamVerifier(KEY, REQUEST_MAC);
    const verdicts = messages.map((one) => verifier.accept(one, NOW));
    const failure = verdicts.find((verdict) => !verdict.ok);
    return {
      accepted: verdicts.filter(({ ok }) => ok).length,
      isCovered: verifier.isCovered,
      error: failure?.ok === false ? failure.error : undefined,
    };
  }

  it('is what a signer signs, message by message', () => {
    const signer = new TsigSigner(KEY, REQUEST_MAC);
    const messages = [1, 2, 3].map((id) => signer.sign(message(id), NOW));
    expect(accepted(messages)).toEqual({ accepted: 3, isCovered: true, error: undefined });
  });

  it('may leave 99 messages between two unsigned', () => {
    const messages = stream(201, (index) => index % 100 === 0);
    expect(accepted(messages)).toEqual({ accepted: 201, isCovered: true, error: undefined });
  });

  it('must not leave 100', () => {
    const messages = stream(202, (index) => index % 101 === 0);
    expect(accepted(messages)).toEqual({ accepted: 100, isCovered: false, error: 'unsigned' });
  });

  it('must begin signed', () => {
    expect(accepted(stream(2, (index) => index === 1))).toEqual({
      accepted: 0,
      isCovered: false,
      error: 'unsigned',
    });
  });

  it('is not covered that ends unsigned', () => {
    expect(accepted(stream(2, (index) => index === 0))).toEqual({
      accepted: 2,
      isCovered: false,
      error: undefined,
    });
  });

  it.each<[string, (messages: Buffer[]) => Buffer[]]>([
    ['lacks a message', (messages) => messages.toSpliced(2, 1)],
    ['has a message twice', (messages) => messages.toSpliced(2, 0, messages[2]!)],
    ['has two messages in another order', ([a, b, c, ...rest]) => [a!, c!, b!, ...rest]],
    ['has a message of somebody else', (messages) => messages.toSpliced(2, 0, message(99))],
  ])('fails at a signature that %s, and stays so', (_, change) => {
    const verdict = accepted(change(stream(8, (index) => index % 3 === 0)));
    expect(verdict).toMatchObject({ isCovered: false, error: 'BADSIG' });
    expect(verdict.accepted).toBeLessThan(5);
  });

  it('fails with a key of another name', () => {
    const signed = new TsigSigner({ ...KEY, name: 'other.' }, REQUEST_MAC).sign(message(1), NOW);
    expect(accepted([signed]).error).toBe('BADKEY');
  });
});
