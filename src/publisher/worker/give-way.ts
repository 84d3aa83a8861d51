import { pause } from '../../background/waits.ts';

const STEP = 20;
/** Even while the API is busy, some of the work goes on. */
const LONGEST = 1000;

/** Waits while the API is busy; a second at most. */
export async function giveWay(busy: () => boolean, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  while (busy() && performance.now() - startedAt < LONGEST) {
    if (!(await pause(STEP, signal))) return;
  }
}
