/** Yields to the event loop, in work that takes longer than a few milliseconds. */
export const yieldTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
