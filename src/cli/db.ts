import { statSync } from 'node:fs';
import { storageSettings } from '../assembly/settings.ts';
import { connection, withoutPassword } from '../config/connection.ts';
import { InvalidValueError } from '../config/kinds.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/options.ts';
import { printableJson } from '../runtime/printable.ts';
import type { CopyProgress } from '../storage/copy/copy.ts';
import type { StorageSettings } from '../storage/open.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';
import { type ProgressBar, progressBar } from './progress.ts';

/** Runs work that a signal to the process aborts; once the work has cleaned up, the process ends by that signal. */
async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let received: NodeJS.Signals | undefined;
  const stop = (name: NodeJS.Signals) => {
    received ??= name;
    controller.abort();
  };
  for (const name of signals) process.on(name, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of signals) process.off(name, stop);
    if (received !== undefined) process.kill(process.pid, received);
  }
}

/** `db backup`: writes the whole store to one file, while others read and write. */
async function backUpStore(
  { dataDir, connection }: Config,
  file: string,
  replaces: boolean,
  { out }: Output,
): Promise<ExitStatus> {
  if (file === '-') throw new CommandError('A backup cannot be written to standard output. Name a file.');
  if (connection !== '') {
    throw new CommandError('The store is on PostgreSQL. Back it up with pg_dump (see docs/operations.md).');
  }
  let bar: ProgressBar | undefined;
  const progress = (done: number, total: number) => {
    bar ??= progressBar('copying', total);
    bar.update(done);
  };
  const { backUp } = await import('../storage/sqlite/backup.ts');
  const size = await interruptible((signal) => backUp({ dataDir, file, replaces, signal, progress })).finally(
    () => bar?.stop(),
  );
  out(`backed up to ${file}: ${size} bytes`);
  return EXIT.done;
}

const isUrl = (place: string): boolean => /^postgres(ql)?:\/\//i.test(place);
/** A scheme and a path: a URL, and hardly the name of a folder. */
const LIKE_URL = /^[a-z][a-z0-9+.-]*:\//i;

function requireUrl(place: string): string {
  try {
    return connection.read(place);
  } catch (error) {
    // The URL may hold a password, so the message does not repeat it.
    if (error instanceof InvalidValueError)
      throw new CommandError(`Invalid PostgreSQL URL. ${error.message}`);
    throw error;
  }
}

/** The store that an argument names: a data folder, the store of a configuration file, or a PostgreSQL database. */
function storeAt(place: string): Partial<Config> {
  if (isUrl(place)) return { connection: requireUrl(place) };
  if (LIKE_URL.test(place))
    throw new CommandError(
      'A store is a folder, a configuration file, or postgresql://user:password@host/database.',
    );
  if (!statSync(place, { throwIfNoEntry: false })?.isFile()) return { connection: '', dataDir: place };
  const named = loadConfig(place, {});
  return { connection: named.connection, dataDir: named.dataDir };
}

function settingsOf(config: Config, place: string): StorageSettings {
  return storageSettings({ ...config, ...storeAt(place) });
}

/** Shows one progress bar after another. */
function bars(): CopyProgress & { stop(): void } {
  let bar: ProgressBar | undefined;
  let done = 0;
  return {
    begin(verb, rows) {
      bar?.stop();
      bar = progressBar(verb, rows);
      done = 0;
    },
    advance(rows) {
      done += rows;
      bar?.update(done);
    },
    stop: () => bar?.stop(),
  };
}

/** `db copy`: copies a whole store, compares every row, and continues an interrupted copy. */
async function copyWholeStore(
  config: Config,
  from: string,
  to: string,
  { out }: Output,
): Promise<ExitStatus> {
  const { copyStore } = await import('../storage/copy/copy.ts');
  const progress = bars();
  const copied = copyStore(settingsOf(config, from), settingsOf(config, to), progress);
  const result = await copied.finally(() => progress.stop());
  if (result.kind === 'differs') {
    out(
      `${result.table} differs at ${printableJson(result.key)}: it changed during the comparison. Stop all writers to ${isUrl(from) ? withoutPassword(from) : from}, then run the same command again.`,
    );
    return EXIT.no;
  }
  const amounts = Object.entries(result.rows).map(([table, rows]) => `${rows} ${table.replaceAll('_', ' ')}`);
  out(`copied ${amounts.join(', ')}: verified`);
  return EXIT.done;
}

/** `db backup` and `db copy`. */
export function addDbCommands({ program, output, run }: Commands): void {
  const db = program.command('db').description('back up or copy the whole store');
  db.command('backup')
    .description('back up the embedded database to one file; works while the service runs')
    .argument('<file>', 'the file to create, accessible only to its owner')
    .option('--force', 'replace an existing file')
    .action((file: string, { force = false }: { force?: boolean }) =>
      run((config) => backUpStore(config, file, force, output)),
    );
  db.command('copy')
    .description('copy a whole store into an empty one and verify it, or continue an interrupted copy')
    .argument(
      '<from>',
      'a data folder that no service uses; a configuration file that names the store; or postgresql://user@host/database (put the password in PGPASSWORD: ps would show it in the URL)',
    )
    .argument('<to>', 'an empty or new store, in any of these forms')
    .action((from: string, to: string) => run((config) => copyWholeStore(config, from, to, output)));
}
