/**
 * Schedules when a zone's masters are queried next, and when the zone expires without them (RFC 1034 section 4.3.5).
 */
import { type Clock, later } from '../../model/clock.ts';
import { formerOrderId } from '../../model/publication/publication.ts';
import type { IncomingSoa, RefreshFailure } from '../../model/secondaries/secondary.ts';
import type { RetryState } from '../../model/secondaries/store.ts';
import type { Store, Transaction } from '../../model/store.ts';
import type { Range, SecondaryZoneSettings } from './settings.ts';

/** Maximum length of a stored reason. */
const MAX_CHARACTERS = 1024;
/** The fault shown to the zone's owner for any failure of its masters. */
export const UNUSABLE_MASTERS =
  'The zone could not be transferred from its masters. Check that they serve it and let this service transfer it; an administrator can see the cause.';
/** Maximum number of times that the wait is doubled. */
const MAX_DOUBLINGS = 10;
/** Maximum wait for the masters of a zone that is not being served, in seconds. */
const LONGEST_WAIT = 3600;

const within = ({ min, max }: Range, seconds: number): number => Math.min(Math.max(seconds, min), max);

export interface ContactDeps {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly settings: SecondaryZoneSettings;
}

/** Wait before the next attempt, in seconds. */
function waitAfter({ retry, attempts }: RetryState, bounds: Range, counts: boolean): number {
  const least = within(bounds, retry);
  if (!counts) return least;
  const longest = Math.max(least, Math.min(LONGEST_WAIT, bounds.max));
  return Math.min(least * 2 ** Math.min(attempts, MAX_DOUBLINGS), longest);
}

export function contactsOver({ store, clock, settings }: ContactDeps) {
  return {
    /**
     * Records that a master has the current version, or that a transfer was applied. An expired zone is published
     * again.
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
     * Records why no master gave a usable response. Retries back off for a zone that is not being served, and for one
     * whose transfers cannot be used.
     */
    fail(zoneId: string, { reason, isOfMasters, isCostly }: RefreshFailure): Promise<void> {
      const cause = reason.slice(0, MAX_CHARACTERS);
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

export type MasterContacts = ReturnType<typeof contactsOver>;
