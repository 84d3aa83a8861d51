/** The exit statuses of all commands. A shell reports 141 (128 + 13) for a program that SIGPIPE ended. */
export const EXIT = { done: 0, no: 1, failed: 2, changes: 3, cutOff: 141 } as const;
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** A command cannot be carried out. The message is one line that says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The reader of the command's output has closed the pipe. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}
