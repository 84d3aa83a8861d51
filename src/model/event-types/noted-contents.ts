import type { Noted } from '../blacklists/noted.ts';
import type { EventContents } from '../events/stored-event.ts';

/**
 * What an event tells of the blacklists that the name met and that did not refuse it. Its project learns what the answer
 * said: that such a name is going to be refused.
 */
export function withNoted(contents: EventContents, noted: Noted): EventContents {
  const isWarned = noted.rules.some(({ mode }) => mode === 'warn');
  const details = isWarned ? { details: { ...contents.details, warned: true } } : {};
  const blacklists = noted.rules.map(({ id, mode }) => ({ id, mode }));
  return { ...contents, ...details, restricted: { blacklists, found: noted.found } };
}
