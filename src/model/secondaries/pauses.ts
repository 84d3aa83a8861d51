/** Triggers that make a zone due at once still wait until this pause has passed since its masters were last asked. */
import { earlier, later } from '../clock.ts';
import type { DueTimes } from './store.ts';

/** In milliseconds. */
const PAUSE = 5000;
/** Maximum number of doublings. The pause doubles with each successive transfer that could not be applied. */
const MAX_DOUBLINGS = 7;
/** A lower maximum for requests of the owner, who may just have fixed the problem. */
const MAX_DOUBLINGS_OF_OWNER = 4;

function pauseOf(now: string, doublings: number): DueTimes {
  const pause = PAUSE * 2 ** doublings;
  return { now, askedSince: earlier(now, pause), afterPause: later(now, pause) };
}

/** The pause for a NOTIFY. */
export const noticePause = (now: string, attempts: number): DueTimes =>
  pauseOf(now, Math.min(attempts, MAX_DOUBLINGS));

/** The pause for an action of the owner. */
export const ownerPause = (now: string, attempts = 0): DueTimes =>
  pauseOf(now, Math.min(attempts, MAX_DOUBLINGS_OF_OWNER));
