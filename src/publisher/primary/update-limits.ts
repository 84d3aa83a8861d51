import { clientNetwork } from '../../addresses/networks.ts';
import type { TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import { type Release, Semaphore } from '../../runtime/semaphore.ts';
import { type MessageRate, TokenBucket, TokenBuckets } from './token-buckets.ts';

const OF_KEY: MessageRate = { perSecond: 100, burst: 100 };
const OF_ADDRESS: MessageRate = { perSecond: 200, burst: 1000 };
/** Wrong signatures over UDP beyond the limits of the addresses that seem to send them. */
const PERHAPS_FORGED: MessageRate = { perSecond: 1000, burst: 2000 };
/** Messages in progress: one for each zone, and of one project never so many that others have none. Others wait, for a while. */
const PLACES = {
  permits: 8,
  perOwner: 'half of the rest',
  perResource: 1,
  pendingPerOwner: 64,
  waiting: 512,
  waitMs: 5000,
} as const;
/** Messages that wait for a turn beside requests over HTTP, in all and of one project. */
const TURNS = { permits: 512, perOwner: 64 } as const;
/** Messages that wait to be verified, in all and of one network: fewer than all datagrams in progress, so that questions get an answer. */
const VERIFYING = { permits: 384, perOwner: 128 } as const;

/** How a message came. */
export interface UpdateSender {
  readonly address: string;
  readonly isDatagram: boolean;
}

/** How many UPDATE messages are taken: each costs reads and a transaction. */
export class UpdateLimits {
  readonly #now: () => number;
  readonly #byKey = new TokenBuckets(OF_KEY);
  readonly #byAddress = new TokenBuckets(OF_ADDRESS);
  readonly #failedStreams: TokenBuckets;
  readonly #failedDatagrams: TokenBuckets;
  readonly #perhapsForged: TokenBucket;
  readonly #turns = new Semaphore(TURNS);
  readonly #places = new Semaphore(PLACES);
  readonly #verifying = new Semaphore(VERIFYING);

  /** @param now in milliseconds */
  constructor(failuresPerSecond: number, now: () => number = () => performance.now()) {
    this.#now = now;
    const failures = { perSecond: failuresPerSecond, burst: failuresPerSecond };
    this.#failedStreams = new TokenBuckets(failures);
    this.#failedDatagrams = new TokenBuckets(failures);
    this.#perhapsForged = new TokenBucket(PERHAPS_FORGED, now());
  }

  /**
   * True if a message may be verified. The sender of a datagram may be forged, so wrong ones keep out an address only
   * while there are very many of them in all.
   */
  mayVerify(sender: UpdateSender): boolean {
    const now = this.#now();
    return this.#failed(sender, now).hasOne(now) || (sender.isDatagram && this.#perhapsForged.hasOne(now));
  }

  /** Lets a message wait to be verified; undefined if too many wait. */
  waitToVerify({ address }: UpdateSender): Release | undefined {
    return this.#verifying.tryTake(clientNetwork(address));
  }

  /** Counts a message that is not signed rightly. */
  fail(sender: UpdateSender): void {
    const now = this.#now();
    const isCounted = this.#failed(sender, now).take(now);
    if (!isCounted && sender.isDatagram) this.#perhapsForged.take(now);
  }

  #failed({ address, isDatagram }: UpdateSender, now: number): TokenBucket {
    const buckets = isDatagram ? this.#failedDatagrams : this.#failedStreams;
    return buckets.of(clientNetwork(address), now);
  }

  /** Lets a message of a key be processed, after its turn and perhaps a wait; undefined if too many wait. */
  async takePlace(
    { projectId, resourceId }: TsigKey,
    turn: () => Promise<void> | undefined,
  ): Promise<Release | undefined> {
    const owner = projectId ?? resourceId;
    const endWait = this.#turns.tryTake(owner);
    if (endWait === undefined) return undefined;
    try {
      // Before the place, so that nobody who waits for a turn keeps others from one.
      await turn();
    } finally {
      endWait();
    }
    return this.#places.take(owner, resourceId);
  }

  /** True if one more message of the key may be processed. */
  pass(keyId: string, address: string): boolean {
    const now = this.#now();
    return this.#byAddress.of(clientNetwork(address), now).take(now) && this.#byKey.of(keyId, now).take(now);
  }
}
