import { userInfo } from 'node:os';
import { Command, CommanderError, Option } from 'commander';
import { ConfigError, loadConfig } from '../config/load.ts';
import { type Config, LOG_LEVELS } from '../config/options.ts';
import { printConfig } from '../config/print.ts';
import { EVERYTHING_ALLOWED } from '../domain/access/policy.ts';
import { type Act, commandAct } from '../domain/acts/act.ts';
import { systemClock } from '../domain/clock.ts';
import { DomainError } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import type { Store } from '../domain/store.ts';
import { type UseCases, useCasesOver } from '../domain/use-cases.ts';
import { patternLanguage } from '../matcher/language.ts';
import { PatternChecker } from '../matcher/pattern-checker.ts';
import { domainSettings, storageSettings } from '../settings.ts';
import { openStore } from '../storage/open.ts';
import { StorageOpenError } from '../storage/storage-open-error.ts';
import { StorageTaskError } from '../storage/storage-task-error.ts';
import { exportBlacklists, importBlacklists, type Output, testName } from './blacklist.ts';
import { backUpStore, copyWholeStore } from './db.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';
import type { Format } from './pattern-files.ts';
import { createToken, listTokens, revokeToken, type TokenOptions } from './token.ts';
import { verify } from './verify.ts';

export interface ProgramDeps {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  /** Runs the service until it is told to stop. */
  serve(config: Config): Promise<void>;
}

type FileFormats = Partial<Record<Exclude<Format, 'patterns'>, boolean>>;

function formatOf(flags: FileFormats): Format {
  const chosen = Object.keys(flags) as (keyof FileFormats)[];
  if (chosen.length > 1)
    throw new CommandError(`Choose one of ${chosen.map((flag) => `--${flag}`).join(' and ')}.`);
  return chosen[0] ?? 'patterns';
}

const onOneLine = (message: string): string => message.trim().replace(/\s*\n\s*/g, ' ');

/** What is wrong with the command line. */
function usageLine({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'no command is given. "zonewarden help" lists the commands.';
  return onOneLine(message.replace(/^error: /, ''));
}

/** What went wrong, in one line for a person; errors that nobody foresaw keep their stack. */
function lineOf(error: unknown): string {
  const foreseen =
    error instanceof CommandError ||
    error instanceof ConfigError ||
    error instanceof StorageOpenError ||
    error instanceof StorageTaskError ||
    error instanceof DomainError ||
    (error as { name?: unknown })?.name === 'PolicyError' ||
    typeof (error as { syscall?: unknown })?.syscall === 'string';
  const { message, stack } = error as Error;
  return foreseen ? onOneLine(message) : (stack ?? message);
}

/** The command line, ready to parse; `status` tells how the command ended. */
function describe(deps: ProgramDeps, status: { exit: ExitStatus }): Command {
  const { output } = deps;
  const program = new Command('zonewarden')
    .description('The DNS control plane whose rules hold: zones, name blacklists, exact quotas.')
    .version(deps.version)
    .option('--config <file>', 'the INI file (or ZONEWARDEN_CONFIG)')
    .addOption(
      new Option('--log-level <level>', 'the least important lines that are logged').choices(LOG_LEVELS),
    )
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: () => {} })
    .enablePositionalOptions(false);

  const config = (): Config => {
    const { config: file, logLevel } = program.opts<{ config?: string; logLevel?: Config['logLevel'] }>();
    const loaded = loadConfig(file, deps.environment);
    return logLevel === undefined ? loaded : { ...loaded, logLevel };
  };
  const withStore: WithStore = async (work) => {
    const loaded = config();
    const store = await openStore(storageSettings(loaded));
    const index = new PatternChecker();
    const { username } = userInfo();
    const useCases = useCasesOver({
      store,
      index,
      clock: systemClock(),
      log: SILENT,
      policy: EVERYTHING_ALLOWED,
      sinks: [],
      language: patternLanguage,
      settings: domainSettings(loaded),
    });
    const close = () => Promise.all([index.close(), store.close()]);
    status.exit = await work({ act: commandAct(username), store, useCases }).finally(close);
  };

  program
    .command('serve')
    .description('run the service')
    .action(() => deps.serve(config()));
  program
    .command('config')
    .description('the configuration')
    .command('print')
    .description('print the configuration in force, as a file')
    .action(() => output.out(printConfig(config()).trimEnd()));
  program
    .command('verify')
    .description('recount everything and check the store; exit 0 if all is right, 1 with a list if it is not')
    .option('--repair', 'correct counters that are wrong, and nothing else')
    .action(({ repair = false }: { repair?: boolean }) =>
      withStore(({ act, useCases }) => verify(act, useCases.verifications, repair, output)),
    );
  addTokenCommands(program, output, withStore);
  addBlacklistCommands(program, output, withStore);
  addDbCommands(program, async (work) => {
    status.exit = await work(config(), output);
  });
  return program;
}

/** What a command on the store works with. */
interface Session {
  readonly act: Act;
  readonly store: Store;
  readonly useCases: UseCases;
}

type WithStore = (work: (session: Session) => Promise<ExitStatus>) => Promise<void>;

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

function addTokenCommands(program: Command, output: Output, withStore: WithStore): void {
  const token = program.command('token').description('API tokens');
  token
    .command('create')
    .description('make a token and print it, this once')
    .requiredOption('--project <id>', 'the project that the token acts for')
    .requiredOption(
      '--role <role>',
      'admin, member or reader; may be repeated',
      (role, roles: string[] = []) => [...roles, role],
    )
    .option('--user <id>', 'whom the log names (default: the id of the token)')
    .option('--expires <when>', 'a time such as 2030-01-31T12:00:00Z, or a span such as 90d')
    .action((options: TokenOptions) =>
      withStore(({ act, useCases }) => createToken(act, useCases.tokens, options, output)),
    );
  token
    .command('list')
    .description('list the tokens, without their secrets')
    .action(() => withStore(({ act, useCases }) => listTokens(act, useCases.tokens, output)));
  token
    .command('revoke')
    .description('forget a token')
    .argument('<id>', 'the id that "token list" shows')
    .action((id: string) => withStore(({ act, useCases }) => revokeToken(act, useCases.tokens, id)));
}

function addBlacklistCommands(program: Command, output: Output, withStore: WithStore): void {
  const blacklist = program.command('blacklist').description('patterns of names that nobody may take');
  blacklist
    .command('import')
    .description('store the patterns of a file, all or none; one pattern a line unless an option says else')
    .argument('<file>', 'the file, or - for standard input')
    .option('--exact', 'one name a line: block just that name')
    .option('--subtree', 'one name a line: block the name and everything below it')
    .option('--psl', 'a public suffix list: block the suffixes themselves')
    .option('--jsonl', 'one JSON object a line, with pattern and description')
    .action((file: string, flags: FileFormats) =>
      withStore(({ act, useCases }) =>
        importBlacklists(act, useCases.blacklists, file, formatOf(flags), output),
      ),
    );
  blacklist
    .command('export')
    .description('print all patterns, one a line')
    .option('--jsonl', 'one JSON object a line, with pattern and description')
    .action(({ jsonl = false }: { jsonl?: boolean }) =>
      withStore(({ act, useCases }) => exportBlacklists(act, useCases.blacklists, jsonl, output)),
    );
  blacklist
    .command('test')
    .description('print the patterns that match a name; exit 0 if there is none, 1 if there is one')
    .argument('<name>')
    .action((name: string) => withStore(({ store }) => testName(store, name, output)));
}

type OnWholeStore = (work: (config: Config, output: Output) => Promise<ExitStatus>) => Promise<void>;

function addDbCommands(program: Command, onWholeStore: OnWholeStore): void {
  const db = program.command('db').description('the store as a whole');
  db.command('backup')
    .description('write the embedded database into one file, while the service runs')
    .argument('<file>', 'the file to make, for its owner alone')
    .option('--force', 'replace a file that is there')
    .action((file: string, { force = false }: { force?: boolean }) =>
      onWholeStore((config, output) => backUpStore(config, file, force, output)),
    );
  db.command('copy')
    .description(
      'copy a whole store into an empty one, compare them, or go on with a copy that was interrupted',
    )
    .argument('<from>', 'a data folder on which no service runs, or postgresql://user:password@host/database')
    .argument('<to>', 'the same, of a store that is empty or is to be made')
    .action((from: string, to: string) =>
      onWholeStore((config, output) => copyWholeStore(config, from, to, output)),
    );
}

/** Runs one command and returns its exit status. */
export async function runProgram(args: readonly string[], deps: ProgramDeps): Promise<ExitStatus> {
  const status: { exit: ExitStatus } = { exit: EXIT.done };
  try {
    await describe(deps, status).parseAsync(args, { from: 'user' });
    return status.exit;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const message = error instanceof CommanderError ? usageLine(error) : lineOf(error);
    deps.output.err(`zonewarden: ${message}`);
    return EXIT.failed;
  }
}
