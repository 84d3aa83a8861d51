/** When the masters of a zone are asked next, and until when it is answered without them (RFC 1034 section 4.3.5). */
import { type Clock, later } from '../../model/clock.ts';
import { formerOrderId } from '../../model/publication/publication.ts';
import type { IncomingSoa, RefreshFailure } from '../../model/secondaries/secondary.ts';
import type { RetryState } from '../../model/secondaries/store.ts';
import type { Store, Transaction } from '../../model/store.ts';
import type { Range, SecondarySettings } from './settings.ts';

/** The longest reason that is kept. */
const MOST_CHARACTERS = 1024;
/** What the owner of a zone reads, whatever its masters do. */
export const UNUSABLE_MASTERS =
  'The zone could not be transferred from its masters. Check that they serve it and let this service transfer it; an administrator can see the cause.';
/** Doubling ends here. */
const MOST_DOUBLINGS = 10;
/** How long to wait at most for masters of whose zone nothing is answered, in seconds. */
const LONGEST_WAIT = 3600;

const within = ({ least, most }: Range, seconds: number): number => Math.min(Math.max(seconds, least), most);

export interface ContactDeps {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly settings: SecondarySettings;
}

/** Seconds. */
function waitAfter({ retry, attempts }: RetryState, bounds: Range, counts: boolean): number {
  const least = within(bounds, retry);
  if (!counts) return least;
  const longest = Math.max(least, Math.min(LONGEST_WAIT, bounds.most));
  return Math.min(least * 2 ** Math.min(attempts, MOST_DOUBLINGS), longest);
}

export function contactsOver({ store, clock, settings }: ContactDeps) {
  return {
    /**
     * Keeps that a master has what is here, or that it was taken. A zone that had expired is published again.
     * @param fault what the owner should do, as a sentence
     */
    async keep(
      tx: Transaction,
      zoneId: string,
      { refresh, retry, expire }: IncomingSoa,
      isTransfer: boolean,
      fault = '',
    ): Promise<void> {
      const at = clock.now();
      const dueAt = later(at, within(settings.refresh, refresh) * 1000);
      const expiresAt = later(at, within(settings.expire, expire) * 1000);
      const contact = {
        zoneId,
        isTransfer,
        at,
        dueAt,
        expiresAt,
        retry: within(settings.retry, retry),
        fault,
      };
      if (await tx.secondaries.contacted(contact)) {
        tx.publications.orderAnew([zoneId, formerOrderId(zoneId)], at);
      }
    },

    /**
     * Keeps why no master gave an answer that could be used. A zone of which nothing is answered is asked for ever less
     * often, and so is one that costs transfers that cannot be taken.
     */
    fail(zoneId: string, { reason, isOfMasters, isCostly }: RefreshFailure): Promise<void> {
      const cause = reason.slice(0, MOST_CHARACTERS);
      const fault = isOfMasters ? UNUSABLE_MASTERS : cause;
      return store.transaction(async (tx) => {
        const state = await tx.secondaries.retryOf(zoneId);
        if (state === undefined) return;
        const counts = isCostly || state.retry === 0 || state.isExpired;
        const dueAt = later(clock.now(), waitAfter(state, settings.retry, counts) * 1000);
        tx.secondaries.failed(zoneId, { fault, cause }, dueAt, counts);
      });
    },
  };
}

export type Contacts = ReturnType<typeof contactsOver>;
