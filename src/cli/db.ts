import type { Config } from '../config/options.ts';
import { backUp } from '../storage/sqlite/backup.ts';
import type { Output } from './blacklist.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';
import { type Progress, progressBar } from './progress.ts';

/** Lets work tidy up when the process is told to stop, and then stops. */
async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const stop = (name: NodeJS.Signals) => {
    controller.abort();
    letGo();
    process.kill(process.pid, name);
  };
  const letGo = () => {
    for (const name of signals) process.off(name, stop);
  };
  for (const name of signals) process.on(name, stop);
  return work(controller.signal).finally(letGo);
}

/** `db backup`: one file with all that is stored, made while others read and write. */
export async function backUpStore(
  { dataDir, connection }: Config,
  file: string,
  replaces: boolean,
  { out }: Output,
): Promise<ExitStatus> {
  if (file === '-') throw new CommandError('A backup cannot go to standard output. Name a file.');
  if (connection !== '') {
    throw new CommandError(
      'The store is on PostgreSQL: back it up with pg_dump, as docs/operations.md says.',
    );
  }
  let bar: Progress | undefined;
  const progress = (done: number, total: number) => {
    bar ??= progressBar('copying', total);
    bar.update(done);
  };
  const size = await interruptible((signal) => backUp({ dataDir, file, replaces, signal, progress })).finally(
    () => bar?.stop(),
  );
  out(`backed up to ${file}: ${size} bytes`);
  return EXIT.done;
}
