import { clientNetwork } from '../../addresses/networks.ts';
import type { TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import { type Release, Semaphore } from '../../runtime/semaphore.ts';
import { ProvenNetworks } from './proven-networks.ts';
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
/**
 * Messages that wait to be verified: those of networks that have signed rightly, counted by the owner of their keys, and those
 * of strangers, counted by network. Together fewer than all datagrams in progress, so that questions get an answer.
 */
const VERIFYING_PROVEN = { permits: 256, perOwner: 'half of the rest' } as const;
const VERIFYING_OTHERS = { permits: 128, perOwner: 'half of the rest' } as const;
/** The caller of all datagrams whose senders may be forged. */
const UNPROVEN_DATAGRAMS = 'unproven datagrams';

/** How a message came. */
export interface UpdateSender {
  readonly address: string;
  readonly isDatagram: boolean;
}

/** The project of a key, or the zone or pool of a key of administrators. */
const ownerOf = ({ projectId, resourceId }: TsigKey): string => projectId ?? resourceId;

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
  readonly #verifyingProven = new Semaphore(VERIFYING_PROVEN);
  readonly #verifyingOthers = new Semaphore(VERIFYING_OTHERS);
  readonly #proven = new ProvenNetworks();

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
    const owner = this.provenOwner(address);
    if (owner !== undefined) return this.#verifyingProven.tryTake(owner);
    return this.#verifyingOthers.tryTake(clientNetwork(address));
  }

  /** The owner of the latest key that signed a message from the network; undefined if there was none. */
  provenOwner(address: string): string | undefined {
    return this.#proven.ownerOf(clientNetwork(address));
  }

  /** Whom the turns of a message count for, before it is verified. */
  callerOf({ address, isDatagram }: UpdateSender): string {
    return this.provenOwner(address) ?? (isDatagram ? UNPROVEN_DATAGRAMS : clientNetwork(address));
  }

  /** Notes that a message is signed rightly. */
  prove({ address }: UpdateSender, key: TsigKey): void {
    this.#proven.add(clientNetwork(address), ownerOf(key));
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
    key: TsigKey,
    turn: (caller: string) => Promise<void> | undefined,
  ): Promise<Release | undefined> {
    const owner = ownerOf(key);
    const endWait = this.#turns.tryTake(owner);
    if (endWait === undefined) return undefined;
    try {
      // Before the place, so that nobody who waits for a turn keeps others from one.
      // Not the caller of the project's requests over HTTP: the updates take turns with these, too.
      await turn(`updates of ${owner}`);
    } finally {
      endWait();
    }
    return this.#places.take(owner, key.resourceId);
  }

  /** True if one more message of the key may be processed. */
  pass(keyId: string, address: string): boolean {
    const now = this.#now();
    return this.#byAddress.of(clientNetwork(address), now).take(now) && this.#byKey.of(keyId, now).take(now);
  }
}
