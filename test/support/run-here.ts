import { runProgram } from '../../src/cli/program.ts';
import type { Finished } from './process.ts';

type Environment = Readonly<Record<string, string>>;

/** Runs a command in this process: a table of many commands stays fast. */
export async function runHere(
  args: readonly string[],
  environment: Environment = {},
): Promise<Omit<Finished, 'signal'>> {
  const written = { out: '', err: '' };
  const status = await runProgram(args, {
    version: '1.2.3',
    environment,
    output: {
      out: (text) => {
        written.out += `${text}\n`;
      },
      err: (text) => {
        written.err += `${text}\n`;
      },
    },
    serve: async () => {
      written.out += 'served\n';
    },
  });
  return { status, ...written };
}
