/** The keys that messages name. */
import { clientNetwork } from '../../addresses/networks.ts';
import type { TsigKeyReads } from '../../model/tsig-keys/store.ts';
import type { TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import type { Log } from '../../runtime/log.ts';
import { type MessageRate, TokenBucket, TokenBuckets } from './token-buckets.ts';

/** Time that keys are cached, in milliseconds. */
const FRESH = 1000;
/** Maximum number of keys that are remembered, and of names without a key. */
const MAX_NAMES = 10_000;
/**
 * Names that were not those of keys when they were last seen, and that are looked up: for one client, and in all for clients
 * that have signed rightly before, and for others. A sender may be forged, so no limit concerns the keys that are in use.
 */
const OF_CLIENT: MessageRate = { perSecond: 20, burst: 100 };
const OF_ALL: MessageRate = { perSecond: 200, burst: 400 };

/** What is known of the key with some name. */
export type KeyLookup =
  | { readonly kind: 'found'; readonly key: TsigKey | undefined }
  /** Too many unknown names are looked up at present. */
  | { readonly kind: 'too many' };

interface CachedKey {
  readonly key: Promise<TsigKey | undefined>;
  readonly until: number;
}

/** Names, oldest first, of which the oldest are dropped. */
class RecentNames {
  readonly #entries = new Map<string, CachedKey>();

  get(name: string): CachedKey | undefined {
    return this.#entries.get(name);
  }

  set(name: string, entry: CachedKey): void {
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    if (this.#entries.size > MAX_NAMES) this.#entries.delete(this.#entries.keys().next().value!);
  }

  delete(name: string): void {
    this.#entries.delete(name);
  }
}

/** The keys, at most one second old. */
export class KeyCache {
  readonly #keys: Pick<TsigKeyReads, 'findByName'>;
  readonly #log: Log;
  readonly #now: () => number;
  /** Keys that existed when they were last read, and all other names. */
  readonly #present = new RecentNames();
  readonly #others = new RecentNames();
  readonly #byClient = new TokenBuckets(OF_CLIENT);
  readonly #ofProven: TokenBucket;
  readonly #ofOthers: TokenBucket;

  /** @param now in milliseconds */
  constructor(keys: Pick<TsigKeyReads, 'findByName'>, log: Log, now: () => number = () => performance.now()) {
    this.#keys = keys;
    this.#log = log;
    this.#now = now;
    this.#ofProven = new TokenBucket(OF_ALL, now());
    this.#ofOthers = new TokenBucket(OF_ALL, now());
  }

  /**
   * The key that a message names.
   * @param name with its final dot
   * @param address of the sender
   * @param owner whose keys have signed messages from there before; undefined if none have, or if it is not known
   * @throws anything the store throws; the next call reads again
   */
  async named(name: string, address: string, owner?: string): Promise<KeyLookup> {
    const present = this.#present.get(name);
    const cached = present ?? this.#others.get(name);
    if (cached !== undefined && this.#now() < cached.until) return { kind: 'found', key: await cached.key };
    if (present === undefined && !this.#mayLookUp(address, owner)) return { kind: 'too many' };
    return {
      kind: 'found',
      key: await this.#read(name, present === undefined ? this.#others : this.#present),
    };
  }

  #mayLookUp(address: string, owner: string | undefined): boolean {
    const now = this.#now();
    const all = owner === undefined ? this.#ofOthers : this.#ofProven;
    return this.#byClient.of(owner ?? clientNetwork(address), now).take(now) && all.take(now);
  }

  async #read(name: string, names: RecentNames): Promise<TsigKey | undefined> {
    const entry = { key: this.#keys.findByName(name.slice(0, -1)), until: this.#now() + FRESH };
    names.set(name, entry);
    try {
      const key = await entry.key;
      if (key !== undefined && names === this.#others) {
        this.#others.delete(name);
        this.#present.set(name, entry);
      }
      if (key === undefined) this.#present.delete(name);
      return key;
    } catch (error) {
      // A key that was there stays known, so that it is read again whatever others send.
      names.set(name, { key: Promise.resolve(undefined), until: 0 });
      this.#log.error({ err: error }, 'cannot read a key');
      throw error;
    }
  }
}
