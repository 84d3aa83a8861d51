/** The timers of a zone's SOA (RFC 1035 section 3.3.13, RFC 2308 section 4) and their bounds. Pure. */
import { MAX_TTL } from '../../dns/rdata/duration.ts';
import type { Fault } from '../errors.ts';

/** In seconds. */
export interface SoaTimers {
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  /** How long resolvers cache that a name does not exist. */
  readonly minimum: number;
}

/** In seconds. Half of the maximum, so that a large enough `expire` always exists. */
const MAX_PAUSE = (MAX_TTL - 1) / 2;

/** Bounds of each timer in seconds. `expire` must also be at least `refresh` plus `retry`. */
export const TIMER_BOUNDS = {
  refresh: { minimum: 300, maximum: MAX_PAUSE },
  retry: { minimum: 60, maximum: MAX_PAUSE },
  expire: { minimum: 360, maximum: MAX_TTL },
  minimum: { minimum: 0, maximum: 86_400 },
} as const;

export const TIMER_NAMES = ['refresh', 'retry', 'expire', 'minimum'] as const;

function clamped(timers: SoaTimers): SoaTimers {
  const bounded = (name: keyof SoaTimers) =>
    Math.min(Math.max(timers[name], TIMER_BOUNDS[name].minimum), TIMER_BOUNDS[name].maximum);
  const [refresh, retry] = [bounded('refresh'), bounded('retry')];
  return {
    refresh,
    retry,
    expire: Math.max(bounded('expire'), refresh + retry),
    minimum: bounded('minimum'),
  };
}

/** The nearest timers within the bounds, and a description of the changes; undefined if there were none. */
export function adjustedTimers(timers: SoaTimers): {
  readonly timers: SoaTimers;
  readonly adjustments: string | undefined;
} {
  const within = clamped(timers);
  const changes = TIMER_NAMES.filter((name) => within[name] !== timers[name]).map(
    (name) => `${name} from ${timers[name]} to ${within[name]}`,
  );
  return { timers: within, adjustments: changes.length === 0 ? undefined : changes.join(', ') };
}

/** The faults of timers for a zone; none if they are valid. */
export function timerFaults(timers: SoaTimers): readonly Fault[] {
  const faults: Fault[] = [];
  for (const name of TIMER_NAMES) {
    const { minimum, maximum } = TIMER_BOUNDS[name];
    const path = ['soa', name];
    if (timers[name] < minimum) faults.push({ path, message: `Must be at least ${minimum}.` });
    if (timers[name] > maximum) faults.push({ path, message: `Must be at most ${maximum}.` });
  }
  const { refresh, retry, expire } = timers;
  if (faults.length === 0 && expire < refresh + retry) {
    const message = `Must be at least refresh plus retry, which is ${refresh + retry}.`;
    faults.push({ path: ['soa', 'expire'], message });
  }
  return faults;
}
