/** Remembers which UPDATE messages were taken, so that none is taken twice while its signature is valid. */
import { createHash } from 'node:crypto';
import { type Clock, epochSeconds, formatMicroseconds } from '../../model/clock.ts';
import type { Idempotency } from '../../model/context/options.ts';
import type { Store } from '../../model/store.ts';
import type { SignedUpdate } from '../../model/updates/update.ts';

/** Seconds by which the clocks of processes may differ. */
const CLOCKS_DIFFER = 60;
/** Messages between two removals, and messages that one removes. */
const BETWEEN_REMOVALS = 64;
const MAX_REMOVED = 1000;

/** The message was taken before. */
export class TakenBefore extends Error {}

function idOf({ key, mac }: Pick<SignedUpdate, 'key' | 'mac'>): string {
  return createHash('sha256').update(`${key.id}\n`).update(mac).digest('hex');
}

function expiryOf({ validUntil }: Pick<SignedUpdate, 'validUntil'>): string {
  return formatMicroseconds((validUntil + CLOCKS_DIFFER) * 1_000_000);
}

/** One message, whose RCODE the transaction that applies it stores. */
export interface TakenUpdate {
  readonly id: string;
  /** The RCODE that is stored; undefined if it was not taken. */
  find(): Promise<number | undefined>;
  /** @param rcode returns the RCODE that the work of the transaction came to */
  once(rcode: () => number): Idempotency<unknown>;
  /** Stores the RCODE of a message that changes nothing. @returns that of the same message, if it was taken first */
  refuse(rcode: number): Promise<number>;
}

export function takenUpdates({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  let taken = 0;

  async function removeExpired(): Promise<void> {
    taken = 0;
    const before = formatMicroseconds(epochSeconds(clock.now()) * 1_000_000);
    await store.transaction((tx) => tx.takenUpdates.removeExpired(before, MAX_REMOVED));
  }

  return {
    /** Removes what has expired, now and then. */
    async tidy(): Promise<void> {
      taken += 1;
      if (taken >= BETWEEN_REMOVALS) await removeExpired();
    },

    of(update: SignedUpdate): TakenUpdate {
      const id = idOf(update);
      const expiresAt = expiryOf(update);
      return {
        id,
        find: () => store.takenUpdates.find(id),
        once: (rcode) => ({
          async begin(tx) {
            if (!(await tx.takenUpdates.take(id, 0, expiresAt))) throw new TakenBefore();
          },
          end(tx) {
            if (rcode() !== 0) tx.takenUpdates.answer(id, rcode());
          },
        }),
        async refuse(rcode) {
          const isFirst = await store.transaction((tx) => tx.takenUpdates.take(id, rcode, expiresAt));
          return isFirst ? rcode : ((await store.takenUpdates.find(id)) ?? rcode);
        },
      };
    },
  };
}
