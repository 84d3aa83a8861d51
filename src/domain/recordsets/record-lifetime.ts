/** When recordsets expire that are written by a credential with a record lifetime. */
import { type Clock, later } from '../../model/clock.ts';
import type { RequestContext } from '../../model/context/request-context.ts';

type Expiry = string | null;

function lifetimeOf({ caller }: RequestContext): number | undefined {
  return caller.credential?.scope?.recordLifetime;
}

/** The latest time at which what the credential of the caller creates expires; undefined if it has no such limit. */
export function latestExpiry(context: RequestContext, clock: Clock): string | undefined {
  const seconds = lifetimeOf(context);
  return seconds === undefined ? undefined : later(clock.now(), seconds * 1000);
}

/** The expiry of a new recordset. @param latest undefined for no limit */
export function expiryOfNew(asked: Expiry | undefined, latest: string | undefined): Expiry {
  if (latest === undefined) return asked ?? null;
  return asked == null || asked > latest ? latest : asked;
}

function extended(before: string, asked: Expiry | undefined, latest: string): Expiry {
  if (asked !== undefined) return expiryOfNew(asked, latest);
  return before > latest ? before : latest;
}

/**
 * The expiry of a recordset after a change. One without an expiry keeps having none: it belongs to others. One that has
 * ended, but is not deleted yet, is as new if records are written to it, which must not be lost.
 * @param asked undefined if the change says nothing about it
 * @param latest undefined for no limit
 * @param writtenAt undefined if the records stay
 */
export function expiryOfChanged(
  before: Expiry,
  asked: Expiry | undefined,
  { latest, writtenAt }: { readonly latest: string | undefined; readonly writtenAt: string | undefined },
): Expiry {
  if (before !== null && writtenAt !== undefined && before <= writtenAt) return expiryOfNew(asked, latest);
  if (latest === undefined) return asked === undefined ? before : asked;
  return before === null ? null : extended(before, asked, latest);
}
