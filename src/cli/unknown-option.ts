import type { Command } from 'commander';
import { nearest } from '../config/nearest.ts';

/** The command that the words name, at any depth. */
function commandOf(program: Command, words: readonly string[]): Command {
  return words.reduce(
    (command, word) => command.commands.find((subcommand) => subcommand.name() === word) ?? command,
    program,
  );
}

/**
 * Describes the first unknown option, in commander's style; undefined if all are known. Commander checks for missing
 * options first, so it would not show that `--porject` is a misspelt `--project`.
 */
export function unknownOption(program: Command, args: readonly string[]): string | undefined {
  const known = [program, commandOf(program, args)].flatMap(({ options }) =>
    options.map(({ long }) => long ?? ''),
  );
  const unknown = args
    .filter((arg) => /^--[^=]/.test(arg))
    .map((arg) => arg.replace(/=.*$/s, ''))
    .find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const suggestion = nearest(unknown, known);
  return `unknown option '${unknown}'${suggestion === undefined ? '' : ` (Did you mean ${suggestion}?)`}`;
}
