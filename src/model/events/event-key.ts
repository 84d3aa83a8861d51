import { createHmac, createSecretKey, hash } from 'node:crypto';

/** Octets of a key's digest that form its id. */
const OCTETS_OF_ID = 8;

/** A secret outside the store that authenticates events as written. */
export interface EventKey {
  /** The first 8 octets of the secret's SHA-256, in hexadecimal. */
  readonly id: string;
  /** HMAC-SHA-256 (RFC 2104) in base64url. */
  mac(text: string): string;
}

/** The keys that authenticate events. */
export interface EventKeys {
  /** The key that signs new events. */
  current(): EventKey;
  /** The key with this id, or undefined if it is unknown here. */
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
  /** The keys, the current one first. Creates one if there is none. */
  make(): readonly EventKey[];
  /** The existing keys. */
  find(): readonly EventKey[];
}

/** Reads the keys on first use. */
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
