/** What makes a zone due at once does so no sooner than so long after its masters were asked. */
import { earlier, later } from '../clock.ts';
import type { Pause } from './store.ts';

/** In milliseconds. */
const PAUSE = 5000;
/** It doubles with each transfer in a row that could not be taken, so often. */
const MOST_DOUBLINGS = 7;
/** The same where the owner asks, who may just have put it right. */
const MOST_DOUBLINGS_OF_OWNER = 4;

function pauseOf(now: string, doublings: number): Pause {
  const pause = PAUSE * 2 ** doublings;
  return { now, askedSince: earlier(now, pause), afterPause: later(now, pause) };
}

/** For a NOTIFY. */
export const noticePause = (now: string, attempts: number): Pause =>
  pauseOf(now, Math.min(attempts, MOST_DOUBLINGS));

/** For what the owner does. */
export const ownerPause = (now: string, attempts = 0): Pause =>
  pauseOf(now, Math.min(attempts, MOST_DOUBLINGS_OF_OWNER));
