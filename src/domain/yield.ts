/** Lets everybody else have a turn, amid work that goes on for longer than a few milliseconds. */
export const yieldTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
