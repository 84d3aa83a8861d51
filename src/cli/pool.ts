import type { CommandSession } from '../assembly/session.ts';
import { readPoolFile } from '../domain/pools/pool-file.ts';
import type { WantedPools } from '../domain/pools/pool-files.ts';
import type { PoolDifference } from '../domain/pools/pool-plan.ts';
import { DomainError } from '../model/errors.ts';
import { printable, printableJson } from '../runtime/printable.ts';
import { agreedTo } from './asking.ts';
import type { Commands, Output } from './commands.ts';
import { EXIT, type ExitStatus } from './errors.ts';
import { addPoolInit } from './pool-init.ts';

interface ApplyFlags {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly delete?: true;
}

const VERBS = { add: 'create', change: 'change', remove: 'delete' } as const;

const shown = (value: unknown): string => (value === undefined ? 'none' : printableJson(value));

function linesOf({ kind, name, fields }: PoolDifference): string[] {
  const changes = fields.map(({ field, before, after }) =>
    kind === 'add' ? `  ${field}: ${shown(after)}` : `  ${field}: ${shown(before)} -> ${shown(after)}`,
  );
  return [printable(`${VERBS[kind]} the pool ${name}`), ...changes];
}

/** Makes the pools match a file, after showing the difference and asking. */
async function applyFile(
  { context, useCases: { poolFiles } }: CommandSession,
  file: string,
  flags: ApplyFlags,
  output: Output,
): Promise<ExitStatus> {
  const { out } = output;
  const { readYamlFile } = await import('./yaml-file.ts');
  const yaml = readYamlFile(file);
  const whole = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const isOfFile = error instanceof DomainError && error.kind === 'invalid_object';
      throw isOfFile ? yaml.refusal(error, output) : error;
    }
  };
  const wanted: WantedPools = {
    pools: await whole(() => readPoolFile(yaml.value)),
    removesOthers: flags.delete ?? false,
  };
  const differences = await whole(() => poolFiles.compare(context, wanted));
  out(differences.length === 0 ? 'no change' : differences.flatMap(linesOf).join('\n'));
  if (differences.length === 0 || flags.dryRun) return EXIT.done;
  if (!flags.yes && !(await agreedTo('Apply these changes?'))) {
    out('nothing was changed');
    return EXIT.no;
  }
  await whole(() => poolFiles.apply(context, wanted, differences));
  out('applied');
  return EXIT.done;
}

/** Prints all pools in the format that `pool apply` reads. */
async function showPools({ context, useCases }: CommandSession, { out }: Output): Promise<ExitStatus> {
  const { yamlOf } = await import('./yaml-file.ts');
  out(yamlOf(await useCases.poolFiles.show(context)).trimEnd());
  return EXIT.done;
}

/** `pool init`, `pool apply` and `pool show`. */
export function addPoolCommands(commands: Commands): void {
  const { program, output, runOnStore } = commands;
  const pool = program.command('pool').description('manage pools of name servers');
  addPoolInit(pool, commands);
  pool
    .command('apply')
    .description('make the pools match a YAML file; shows the difference and asks first')
    .argument('<file>', 'the file, or - for standard input')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only show the difference')
    .option('--delete', 'delete pools that are not in the file, except the default pool')
    .action((file: string, flags: ApplyFlags) =>
      runOnStore((session) => applyFile(session, file, flags, output)),
    );
  pool
    .command('show')
    .description('print the pools as YAML for "pool apply"')
    .action(() => runOnStore((session) => showPools(session, output)));
}
