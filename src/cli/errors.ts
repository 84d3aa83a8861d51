/** Exit statuses of every command. */
export const EXIT = { done: 0, no: 1, failed: 2 } as const;
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** A command cannot do what it was asked. The message is one line that says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
