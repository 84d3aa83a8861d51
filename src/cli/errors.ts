/** Exit statuses of every command. 141 is what a shell reports of a program that SIGPIPE has ended: 128 + 13. */
export const EXIT = { done: 0, no: 1, failed: 2, cutOff: 141 } as const;
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** A command cannot do what it was asked. The message is one line that says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Nobody reads any further what a command prints. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}
