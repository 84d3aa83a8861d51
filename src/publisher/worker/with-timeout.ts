/**
 * Waits for the result of the work; undefined if `ms` milliseconds pass or the signal fires first.
 * @param start starts the work and calls `done` with its result
 */
export async function timed<T>(
  ms: number,
  signal: AbortSignal,
  start: (done: (value: T) => void) => void,
): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let timer: NodeJS.Timeout | undefined;
  let end = (): void => {};
  try {
    return await new Promise<T | undefined>((resolve) => {
      end = () => resolve(undefined);
      timer = setTimeout(end, ms);
      signal.addEventListener('abort', end, { once: true });
      start(resolve);
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}
