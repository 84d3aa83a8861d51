import { Command, CommanderError, Option } from 'commander';
import { ConfigError, type LoadedConfig, readConfig } from '../config/load.ts';
import { type Config, LOG_LEVELS, OPTIONS } from '../config/options.ts';
import { printConfig } from '../config/print.ts';
import { SourceError } from '../domain/adoption/source.ts';
import { DomainError, isStorageFailure } from '../model/errors.ts';
import { printable } from '../runtime/printable.ts';
import { reasonOf, StorageOpenError, StorageTaskError } from '../storage/database/storage-errors.ts';
import { addBlacklistCommands } from './blacklist.ts';
import type { Commands, Output } from './commands.ts';
import { addDbCommands } from './db.ts';
import { CommandError, EXIT, type ExitStatus, OutputClosed } from './errors.ts';
import { addEventsCommand } from './events.ts';
import { addIdempotencyCommands } from './idempotency.ts';
import { addImportDesignateCommand } from './import-designate.ts';
import { addPoolCommands } from './pool.ts';
import { addPublicationCommands } from './publication.ts';
import { addQuotaCommands } from './quota.ts';
import { addTldCommands } from './tld.ts';
import { addTokenCommands } from './token.ts';
import { unknownOption } from './unknown-option.ts';
import { addVerifyCommand } from './verify.ts';
import { addWebhookCommands } from './webhook.ts';
import { addZoneCommands } from './zone.ts';

export interface ProgramDeps {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  /** Runs the service until it receives a stop signal. */
  serve(config: Config): Promise<void>;
}

const onOneLine = (message: string): string => message.trim().replace(/\s*\n\s*/g, ' ');

/** Explains what is wrong with the command line. */
function usageLine({ code, message }: CommanderError, program: Command, args: readonly string[]): string {
  const unknown = code === 'commander.missingMandatoryOptionValue' ? unknownOption(program, args) : undefined;
  if (unknown !== undefined) return unknown;
  if (code === 'commander.help') return 'no command given. "zonewarden help" lists the commands.';
  return onOneLine(message.replace(/^error: /, ''));
}

/** Describes an error in one line; unexpected errors keep their stack. */
function lineOf(error: unknown): string {
  const isExpected =
    error instanceof CommandError ||
    error instanceof ConfigError ||
    error instanceof StorageOpenError ||
    error instanceof StorageTaskError ||
    error instanceof DomainError ||
    error instanceof SourceError ||
    (error as { name?: unknown })?.name === 'PolicyError' ||
    typeof (error as { syscall?: unknown })?.syscall === 'string';
  const { message, stack } = error as Error;
  if (isStorageFailure(error) && error.cause !== undefined)
    return printable(onOneLine(`${message} The cause: ${reasonOf(error).replace(/\.$/, '')}.`));
  return isExpected ? printable(onOneLine(message)) : (stack ?? message);
}

function newProgram({ version, output }: ProgramDeps): Command {
  return new Command('zonewarden')
    .description('DNS control plane: zones, name blacklists and exact quotas.')
    .version(version)
    .option('--config <file>', 'the INI configuration file (default: $ZONEWARDEN_CONFIG)')
    .addOption(new Option('--log-level <level>', 'the minimum log level').choices(LOG_LEVELS))
    .exitOverride()
    .configureOutput({
      outputError: () => {},
      writeErr: () => {},
      writeOut: (text) => output.out(text.replace(/\n$/, '')),
    })
    .enablePositionalOptions(false);
}

/** Defines the command line; after parsing, `status` holds the exit status. */
function defineProgram(deps: ProgramDeps, status: { exit: ExitStatus }): Command {
  const { output, environment } = deps;
  const program = newProgram(deps);
  const loaded = (): LoadedConfig => {
    const { config: file, logLevel } = program.opts<{ config?: string; logLevel?: Config['logLevel'] }>();
    const { config, origin } = readConfig(file, environment);
    if (logLevel === undefined) return { config, origin };
    return {
      config: { ...config, logLevel },
      origin: (option) => (option.name === OPTIONS.logLevel.name ? '--log-level' : origin(option)),
    };
  };
  const config = () => loaded().config;
  const commands: Commands = {
    program,
    output,
    environment,
    async runAlone(work) {
      status.exit = await work();
    },
    async run(work) {
      status.exit = await work(config());
    },
    async runOnStore(work) {
      const currentConfig = config();
      const { openSession } = await import('../assembly/session.ts');
      const session = await openSession(currentConfig);
      status.exit = await work(session, currentConfig).finally(() => session.close());
    },
  };
  program
    .command('serve')
    .description('run the service')
    .action(() => deps.serve(config()));
  program
    .command('config')
    .description('show the configuration')
    .command('print')
    .description('print the effective configuration as a file, with the source of each option')
    .action(() => output.out(printConfig(loaded()).trimEnd()));
  addVerifyCommand(commands);
  addZoneCommands(commands);
  addEventsCommand(commands);
  addWebhookCommands(commands);
  addTokenCommands(commands);
  addBlacklistCommands(commands);
  addTldCommands(commands);
  addQuotaCommands(commands);
  addPoolCommands(commands);
  addPublicationCommands(commands);
  addDbCommands(commands);
  addIdempotencyCommands(commands);
  addImportDesignateCommand(commands);
  return program;
}

/** What to parse: `serve` if there is nothing, as when tried with npx; and `help` of a command within another as its `--help`. */
function completed(args: readonly string[]): readonly string[] {
  if (args.length === 0) return ['serve'];
  return args[0] === 'help' && args.length > 2 ? [...args.slice(1), '--help'] : args;
}

/**
 * Runs one command.
 * @returns its exit status
 */
export async function runProgram(args: readonly string[], deps: ProgramDeps): Promise<ExitStatus> {
  const status: { exit: ExitStatus } = { exit: EXIT.done };
  const program = defineProgram(deps, status);
  try {
    await program.parseAsync(completed(args), { from: 'user' });
    return status.exit;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    if (error instanceof OutputClosed) return EXIT.cutOff;
    const message = error instanceof CommanderError ? usageLine(error, program, args) : lineOf(error);
    deps.output.err(`zonewarden: ${message}`);
    return EXIT.failed;
  }
}
