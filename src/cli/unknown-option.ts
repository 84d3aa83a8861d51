import type { Command } from 'commander';
import { nearest } from '../config/nearest.ts';

/** The command that the words name, however deep. */
function commandOf(program: Command, words: readonly string[]): Command {
  return words.reduce(
    (command, word) => command.commands.find((one) => one.name() === word) ?? command,
    program,
  );
}

/**
 * The first option that the command does not know, as a sentence like those of commander; undefined if it knows all.
 * Commander looks for missing options first: it would not show that `--porject` is a misspelt `--project`.
 */
export function unknownOption(program: Command, args: readonly string[]): string | undefined {
  const known = [program, commandOf(program, args)].flatMap(({ options }) =>
    options.map(({ long }) => long ?? ''),
  );
  const unknown = args
    .filter((one) => /^--[^=]/.test(one))
    .map((one) => one.replace(/=.*$/s, ''))
    .find((one) => !known.includes(one));
  if (unknown === undefined) return undefined;
  const meant = nearest(unknown, known);
  return `unknown option '${unknown}'${meant === undefined ? '' : ` (Did you mean ${meant}?)`}`;
}
