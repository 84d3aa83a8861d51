/** The timers in the SOA of a zone, as they are shown and typed. */
import type { Problem } from '../../api/problem.ts';
import type { Zone } from '../../api/types.ts';
import { numberIn } from '../../parts/typed.ts';

type Timers = NonNullable<Zone['soa']>;

const NAMES = ['refresh', 'retry', 'expire', 'minimum'] as const;

/** In the order of a zone file; empty for the defaults of the service. */
export function timersText(timers: Zone['soa']): string {
  return timers === undefined ? '' : NAMES.map((name) => timers[name]).join(' ');
}

/** Null if nothing was typed. What is missing or too much is sent as it is, so that the service explains it. */
export function timersIn(text: string): Timers | null {
  const typed = text.trim().split(/\s+/);
  if (typed[0] === '') return null;
  const last = NAMES.length - 1;
  const parts = [...typed.slice(0, last), typed.slice(last).join(' ')];
  const timers = NAMES.map((name, place) => [name, numberIn(parts[place] ?? '')]);
  return Object.fromEntries(timers) as Timers;
}

/** What is wrong with them, each with its name. */
export function timerFaults(problem: Problem | undefined): string | undefined {
  const faults = problem?.faults.filter(({ path }) => path[0] === 'soa') ?? [];
  const told = faults.map(({ path: [, name], message }) => (name ? `${name}: ${message}` : message));
  return told.length === 0 ? undefined : told.join(' ');
}
