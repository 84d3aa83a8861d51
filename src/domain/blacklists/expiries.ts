import { NO_PROJECT } from '../../model/access/caller.ts';
import type { Clock } from '../../model/clock.ts';
import { serviceContext } from '../../model/context/request-context.ts';
import type { Store } from '../../model/store.ts';
import type { Job } from '../../runtime/jobs.ts';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts';

/** Maximum number of entries ended in one transaction. */
const AT_ONCE = 500;

export interface ExpiryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
}

/** Ends entries that have expired: checks stop matching them, and one event says so. */
export function blacklistExpiryJob({ store, clock, unitOfWork }: ExpiryDeps): Job {
  return {
    name: 'blacklist-expiry',
    intervalMs: 5000,
    gapMs: 5,
    retry: { firstMs: 100, factor: 2, maxMs: 5000 },
    yieldsToRequests: true,
    async slice() {
      if (!(await store.blacklists.hasExpired(clock.now()))) return false;
      const ended = await unitOfWork.commit(serviceContext(NO_PROJECT), async (tx, emit) => {
        // Use the clock that sets creation times: by this process's own, an entry might not have expired yet.
        const { instant = clock.now() } = await tx.blacklists.present();
        const expired = await tx.blacklists.expire(instant, AT_ONCE);
        for (const after of expired)
          emit({ type: 'blacklist.expired', target: { kind: 'blacklist', id: after.id }, after });
        return expired.length;
      });
      return ended === AT_ONCE;
    },
  };
}
