/** Creates objects only if the blacklists have not changed since their names were checked. */

import type { NonEnforcingMatches } from '../../model/blacklists/noted.ts';
import { covers } from '../../model/blacklists/rule.ts';
import type { RevisionSnapshot } from '../../model/blacklists/store.ts';
import type { Clock } from '../../model/clock.ts';
import { DomainError } from '../../model/errors.ts';
import { StaleRevision } from '../unit-of-work/unit-of-work.ts';
import { type BlacklistChecker, CHANGES_TOO_FAST } from './blacklist-checker.ts';
import type { HitCounter } from './hit-counter.ts';
import type { Admission } from './name-admission.ts';

/** Maximum number of attempts at a create, which is retried if the blacklists change meanwhile. */
const MAX_ATTEMPTS = 100;

/**
 * Checks that an admission is still valid.
 * @param present the state that the creating transaction sees
 * @returns the creation time
 * @throws StaleRevision
 */
export function requireUnchanged(
  { revision, span }: Admission,
  present: RevisionSnapshot,
  clock: Clock,
): string {
  const instant = present.instant ?? clock.now();
  if (present.revision !== revision || !covers(span, instant)) throw new StaleRevision();
  return instant;
}

/**
 * Checks and creates, and retries until the blacklists do not change in between.
 * @throws DomainError `storage_unavailable` after too many attempts
 */
export async function createAdmitted<Admitted, T>(
  checker: Pick<BlacklistChecker, 'catchUp'>,
  admit: () => Promise<Admitted>,
  create: (admitted: Admitted) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      return await create(await admit());
    } catch (error) {
      if (!(error instanceof StaleRevision)) throw error;
    }
    await checker.catchUp();
  }
  throw new DomainError('storage_unavailable', CHANGES_TOO_FAST);
}

/** True if the name matches an entry in `warn` mode. */
export function isWarned({ noted }: Pick<Admission, 'noted'>): boolean {
  return noted.rules.some(({ mode }) => mode === 'warn');
}

/** Counts hits of the entries that a create matched without being refused. */
export function countNonEnforcing(hits: HitCounter, { rules }: NonEnforcingMatches): void {
  for (const { id, mode } of rules) hits.count(id, mode === 'warn' ? 'warned' : 'audited');
}
