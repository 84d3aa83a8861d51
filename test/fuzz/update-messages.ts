/** UPDATE messages to a running service: some that count, and more that must not. */
import { CLASS } from '../../src/dns/wire/codes.ts';
import { signMessage, type TsigSecret } from '../../src/dns/wire/tsig.ts';
import type { Random } from '../support/random.ts';
import { add, removeName, type SentRecord, updateOctets } from '../support/updates.ts';
import { withFault } from './wire-cases.ts';

export const ZONE = 'fuzz.example.';
/** In seconds. A signature is valid for its fudge, 300 s at most. */
const WRONG_CLOCKS = [-100_000, -1000, -400, 400, 1000, 100_000];
const now = (): number => Math.floor(Date.now() / 1000);

export interface FuzzedUpdate {
  readonly kind: string;
  readonly octets: Buffer;
  /** The name that it adds, if it is applied; a message that is not signed rightly must not be. */
  readonly adds: string | undefined;
  /** It is signed rightly, though perhaps by a key that may not do this. */
  readonly isKnown: boolean;
}

export interface FuzzedKeys {
  /** May change all. */
  readonly open: TsigSecret;
  /** May change the name `narrow` alone. */
  readonly narrow: TsigSecret;
  /** May transfer alone. */
  readonly transferring: TsigSecret;
}

/** Draws messages; each adds a name of its own. */
export class UpdateSource {
  readonly #random: Random;
  readonly #keys: FuzzedKeys;
  #names = 0;

  constructor(random: Random, keys: FuzzedKeys) {
    this.#random = random;
    this.#keys = keys;
  }

  next(): FuzzedUpdate {
    const { open, narrow, transferring } = this.#keys;
    const guessed: TsigSecret = { ...open, secret: Buffer.from('guessed') };
    const unknown: TsigSecret = { ...guessed, name: `k${this.#random.below(50)}.example.` };
    const other: TsigSecret = { ...open, algorithm: 'hmac-sha512' };
    const make = this.#random.weighted<() => FuzzedUpdate>([
      [1, () => this.#signed()],
      [20, () => this.#faulty()],
      [10, () => this.#stranger('not signed')],
      [10, () => this.#stranger('a wrong secret', guessed)],
      [5, () => this.#stranger('an unknown key', unknown)],
      [5, () => this.#stranger('another algorithm', other)],
      [5, () => this.#wrongTime()],
      [0.5, () => this.#forbidden('outside the scope', narrow)],
      [0.5, () => this.#forbidden('a key without the permission', transferring)],
      [10, () => this.#spliced()],
    ]);
    return make();
  }

  #name(kind: string): string {
    this.#names += 1;
    return `${kind}${this.#names}.${ZONE}`;
  }

  /** A message that adds a name, and deletes what others have added unless it counts. */
  #plain(name: string, counts: boolean): Buffer {
    const random = this.#random;
    const updates: SentRecord[] = [add(name, 'TXT', 60, `"${name.slice(0, 20)}"`)];
    if (!counts) updates.push(removeName(`v${random.below(this.#names)}.${ZONE}`), removeName(ZONE));
    const isCut = random.chance(0.1);
    const prerequisites = random.chance(0.2) ? [{ name: ZONE, type: 'SOA', class: CLASS.ANY }] : [];
    return updateOctets({
      zone: ZONE,
      updates: isCut ? updates.slice(0, 1) : updates,
      prerequisites,
      hasOpt: random.chance(0.5),
    });
  }

  #signed(): FuzzedUpdate {
    const name = this.#name('v');
    const { message } = signMessage(this.#plain(name, true), this.#keys.open, { time: now() });
    return { kind: 'signed rightly', octets: message, adds: name, isKnown: true };
  }

  #stranger(kind: string, key?: TsigSecret): FuzzedUpdate {
    const plain = this.#plain(this.#name('s'), false);
    const octets = key === undefined ? plain : signMessage(plain, key, { time: now() }).message;
    return { kind, octets, adds: undefined, isKnown: false };
  }

  #wrongTime(): FuzzedUpdate {
    const time = now() + this.#random.pick(WRONG_CLOCKS);
    const fudge = this.#random.pick([0, 300, 301, 65_535]);
    const { message } = signMessage(this.#plain(this.#name('s'), false), this.#keys.open, { time, fudge });
    // The MAC is right: the answer says so, and the time.
    return { kind: 'a wrong time', octets: message, adds: undefined, isKnown: true };
  }

  #forbidden(kind: string, key: TsigSecret): FuzzedUpdate {
    const { message } = signMessage(this.#plain(this.#name('s'), false), key, { time: now() });
    return { kind, octets: message, adds: undefined, isKnown: true };
  }

  /** One that was signed rightly, with faults in its octets. */
  #faulty(): FuzzedUpdate {
    const name = this.#name('f');
    const { message } = signMessage(this.#plain(name, true), this.#keys.open, { time: now() });
    let octets = message;
    for (let faults = 1 + this.#random.below(3); faults > 0; faults -= 1)
      octets = withFault(this.#random, octets);
    // The id is not signed, nor is the case of letters in the key's name.
    const isSame = octets.toString('latin1', 2).toLowerCase() === message.toString('latin1', 2).toLowerCase();
    return { kind: 'with faults', octets, adds: isSame ? name : undefined, isKnown: isSame };
  }

  /** The signature of one message behind another. */
  #spliced(): FuzzedUpdate {
    const { open } = this.#keys;
    const signed = this.#plain(this.#name('s'), false);
    const { message } = signMessage(signed, open, { time: now() });
    const forged = Buffer.concat([this.#plain(this.#name('s'), false), message.subarray(signed.length)]);
    forged.writeUInt16BE(forged.readUInt16BE(10) + 1, 10);
    message.copy(forged, 0, 0, 2);
    return { kind: "another message's signature", octets: forged, adds: undefined, isKnown: false };
  }
}
