import { NO_PROJECT } from '../../model/access/caller.ts';
import { serviceAct } from '../../model/acts/act.ts';
import type { Clock } from '../../model/clock.ts';
import type { Store } from '../../model/store.ts';
import type { Acts } from '../acts/acts.ts';

/** How often a process asks whether there is something to end, in milliseconds. */
const EVERY = 5000;
/** Entries that are ended in one transaction. */
const AT_ONCE = 500;

export interface ExpiryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly acts: Acts;
}

/** The end of entries that have expired: checks do not meet them any more, and it is told once. */
export function blacklistExpiries({ store, clock, acts }: ExpiryDeps) {
  let askedAt = Number.NEGATIVE_INFINITY;

  return {
    /**
     * Ends the next entries that have expired, for whichever process comes first.
     * @returns whether there may be more
     */
    async end(): Promise<boolean> {
      const now = performance.now();
      if (now - askedAt < EVERY) return false;
      if (!(await store.blacklists.hasExpired(clock.now()))) {
        askedAt = now;
        return false;
      }
      const ended = await acts.commit(serviceAct(NO_PROJECT), async (tx, tell) => {
        // The clock that says when zones are created: by this process's own it might still hold.
        const { instant = clock.now() } = await tx.blacklists.present();
        const expired = await tx.blacklists.expire(instant, AT_ONCE);
        for (const after of expired)
          tell({ type: 'blacklist.expired', target: { kind: 'blacklist', id: after.id }, after });
        return expired.length;
      });
      return ended === AT_ONCE;
    },
  };
}
