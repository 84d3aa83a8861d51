import { createHmac, createSecretKey, hash } from 'node:crypto';

/** The octets of a key's digest that name it. */
const OCTETS_OF_ID = 8;

/** A secret outside the store that proves what was written as an event. */
export interface EventKey {
  /** The first 8 octets of the SHA-256 of the secret, hexadecimal. */
  readonly id: string;
  /** HMAC-SHA-256 (RFC 2104), base64url. */
  mac(text: string): string;
}

/** The keys of events. */
export interface EventKeys {
  /** The key that proves new events. */
  current(): EventKey;
  /** The key with this id; undefined if it is not known here. */
  find(id: string): EventKey | undefined;
}

export function eventKeyOf(secret: Buffer): EventKey {
  const key = createSecretKey(secret);
  return {
    id: hash('sha256', secret).slice(0, 2 * OCTETS_OF_ID),
    mac: (text) => createHmac('sha256', key).update(text).digest('base64url'),
  };
}

export interface KeySource {
  /** The keys, the current one first, which is made where there is none. */
  make(): readonly EventKey[];
  /** The keys that are there. */
  find(): readonly EventKey[];
}

/** Reads the keys when one is first needed. */
export function eventKeysFrom({ make, find }: KeySource): EventKeys {
  let made: readonly EventKey[] | undefined;
  let found: readonly EventKey[] | undefined;
  return {
    current() {
      made ??= make();
      return made[0]!;
    },
    find(id) {
      found ??= made ?? find();
      return found.find((key) => key.id === id);
    },
  };
}
