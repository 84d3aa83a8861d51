import { NO_PROJECT } from '../../model/access/caller.ts';
import { serviceAct } from '../../model/acts/act.ts';
import type { Clock } from '../../model/clock.ts';
import type { Store } from '../../model/store.ts';
import type { Acts } from '../acts/acts.ts';

/** Interval at which a process checks for expired entries, in milliseconds. */
const EVERY = 5000;
/** Maximum number of entries ended in one transaction. */
const AT_ONCE = 500;

export interface ExpiryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly acts: Acts;
}

/** Ends expired entries: checks ignore them from then on, and one event reports each. */
export function blacklistExpiries({ store, clock, acts }: ExpiryDeps) {
  let askedAt = Number.NEGATIVE_INFINITY;

  return {
    /**
     * Ends the next expired entries, unless another process already has.
     * @returns true if there may be more
     */
    async end(): Promise<boolean> {
      const now = performance.now();
      if (now - askedAt < EVERY) return false;
      if (!(await store.blacklists.hasExpired(clock.now()))) {
        askedAt = now;
        return false;
      }
      const ended = await acts.commit(serviceAct(NO_PROJECT), async (tx, tell) => {
        // Use the clock that sets creation times: by this process's own, an entry might not have expired yet.
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
