/** The SOA timers of a zone as text. */
import type { Problem } from '../../api/problem.ts';
import type { Zone } from '../../api/types.ts';
import { numberIn } from '../../parts/typed.ts';

type Timers = NonNullable<Zone['soa']>;

const NAMES = ['refresh', 'retry', 'expire', 'minimum'] as const;

/** Formats the timers in the order of a zone file; empty for the service's defaults. */
export function timersText(timers: Zone['soa']): string {
  return timers === undefined ? '' : NAMES.map((name) => timers[name]).join(' ');
}

/**
 * Parses timers; null if the text is empty. Missing or extra values are sent unchanged, so that the service explains
 * them.
 */
export function timersIn(text: string): Timers | null {
  const typed = text.trim().split(/\s+/);
  if (typed[0] === '') return null;
  const last = NAMES.length - 1;
  const parts = [...typed.slice(0, last), typed.slice(last).join(' ')];
  const timers = NAMES.map((name, place) => [name, numberIn(parts[place] ?? '')]);
  return Object.fromEntries(timers) as Timers;
}

/** The errors of the timers, each with its name. */
export function timerFaults(problem: Problem | undefined): string | undefined {
  const faults = problem?.faults.filter(({ path }) => path[0] === 'soa') ?? [];
  const dataOf = faults.map(({ path: [, name], message }) => (name ? `${name}: ${message}` : message));
  return dataOf.length === 0 ? undefined : dataOf.join(' ');
}
