import { createInterface } from 'node:readline/promises';
import { CommandError } from './errors.ts';

/**
 * Asks the user at the terminal; any answer but yes means no.
 * @throws CommandError if there is no terminal
 */
export async function agreedTo(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new CommandError(
      'There is no terminal to confirm on; nothing was changed. To make the changes without being asked, add --yes.',
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // No answer: the terminal is gone, or the user has closed the input.
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
