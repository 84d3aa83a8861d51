/** What is created while the blacklists are as they were when its names were judged. */

import type { Noted } from '../../model/blacklists/noted.ts';
import { covers } from '../../model/blacklists/rule.ts';
import type { Present } from '../../model/blacklists/store.ts';
import type { Clock } from '../../model/clock.ts';
import { DomainError } from '../../model/errors.ts';
import { StaleRevision } from '../acts/stale-revision.ts';
import { type BlacklistGuard, CHANGES_TOO_FAST } from './blacklist-guard.ts';
import type { HitCounter } from './hit-counter.ts';
import type { Admission } from './name-admission.ts';

/** How often a create is retried because the blacklists changed meanwhile. */
const MOST_ATTEMPTS = 100;

/**
 * The instant of the creation.
 * @param present as the creating transaction finds it
 * @throws StaleRevision
 */
export function requireHeld({ revision, span }: Admission, present: Present, clock: Clock): string {
  const instant = present.instant ?? clock.now();
  if (present.revision !== revision || !covers(span, instant)) throw new StaleRevision();
  return instant;
}

/** Judges and creates, again and again, until nothing has changed in between. */
export async function createAdmitted<T>(
  guard: BlacklistGuard,
  admit: () => Promise<Admission>,
  create: (admission: Admission) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    try {
      return await create(await admit());
    } catch (error) {
      if (!(error instanceof StaleRevision)) throw error;
    }
    await guard.catchUp();
  }
  throw new DomainError('storage_unavailable', CHANGES_TOO_FAST);
}

/** Whether the name matches an entry that is going to refuse such names. */
export function isWarned({ noted }: Pick<Admission, 'noted'>): boolean {
  return noted.rules.some(({ mode }) => mode === 'warn');
}

/** Counts the entries that a create has met and that did not refuse it. */
export function countNoted(hits: HitCounter, { rules }: Noted): void {
  for (const { id, mode } of rules) hits.count(id, mode === 'warn' ? 'warned' : 'audited');
}
