import type { NonEnforcingMatches } from '../blacklists/noted.ts';
import type { EventContents } from '../events/stored-event.ts';

/** The blacklists that names match although they are allowed. */
export interface AllowedNames {
  readonly blacklistId?: string | undefined;
  readonly noted: NonEnforcingMatches;
}

/**
 * Adds the matching blacklists that did not refuse a name to an event. The project sees only what the response said:
 * that such a name will be refused in future.
 */
export function withNoted(contents: EventContents, noted: NonEnforcingMatches): EventContents {
  const isWarned = noted.rules.some(({ mode }) => mode === 'warn');
  const details = isWarned ? { details: { ...contents.details, warned: true } } : {};
  const blacklists = noted.rules.map(({ id, mode }) => ({ id, mode }));
  return { ...contents, ...details, restricted: { blacklists, found: noted.found } };
}

/** Adds the blacklists that names match although they are allowed. */
export function withAllowed(contents: EventContents, { blacklistId, noted }: AllowedNames): EventContents {
  if (blacklistId !== undefined) return { ...contents, restricted: { blacklist_id: blacklistId } };
  return noted.found > 0 ? withNoted(contents, noted) : contents;
}
