/** Far longer than a loaded machine takes, and shorter than a test may take: so the test says what it waited for. */
const LIMIT_MS = 100_000;
const FIRST_PAUSE_MS = 2;
/** Asking must not keep what is asked from getting there. */
const LONGEST_PAUSE_MS = 50;

/** Waits before the next look at something; fails after the limit, with what was waited for and was seen instead. */
function patience(waitedFor: () => unknown, limitMs: number) {
  const end = performance.now() + limitMs;
  let pauseMs = FIRST_PAUSE_MS;
  return async (seen?: unknown): Promise<void> => {
    if (performance.now() > end) {
      const saw = seen === undefined ? '' : `; last saw: ${seen}`;
      throw new Error(`waited ${limitMs / 1000} s for ${waitedFor}${saw}`, { cause: seen });
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5);
  };
}

/** Waits until `probe` gives something other than undefined; fails at once where it throws. */
export async function eventually<T>(
  probe: () => T | undefined | Promise<T | undefined>,
  limitMs = LIMIT_MS,
): Promise<T> {
  const pause = patience(probe, limitMs);
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    await pause();
  }
}

/** Waits until `holds` throws no more, as `expect` does while something is otherwise, and returns what it gives. */
export async function until<T>(holds: () => T | Promise<T>, limitMs = LIMIT_MS): Promise<T> {
  const pause = patience(holds, limitMs);
  for (;;) {
    let seen: unknown;
    try {
      return await holds();
    } catch (error) {
      seen = error;
    }
    await pause(seen);
  }
}
