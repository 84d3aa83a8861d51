import { readFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { createLog } from '../assembly/log.ts';
import type { RunningService } from '../assembly/service.ts';
import type { Config } from '../config/options.ts';
import { OutputClosed } from './errors.ts';
import { runProgram } from './program.ts';
import { welcomeLines } from './welcome.ts';

/** Two folders up, both from this folder and from that of the build. */
const PACKAGE = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8'));

/** How long a process that stops waits for the reader of its log, in milliseconds. */
const LAST_LINES_MS = 2000;

/** The first stop signal. Later ones are ignored: npm forwards the signal that the terminal has already sent. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on('SIGTERM', resolve);
    process.on('SIGINT', resolve);
  });
}

/** Many services reload on SIGHUP, and a closing terminal sends it. This program neither ends nor reloads. */
function logHangups(log: ReturnType<typeof createLog>): void {
  process.on('SIGHUP', (signal) => {
    log.info({ signal }, 'signal ignored: options are read only at startup');
  });
}

/** Shows a user at a terminal how to continue. In one write, so that no line of the log comes between. */
function welcome(
  { publicUrl, console: hasConsole, dataDir }: Config,
  { url, publishes }: RunningService,
): void {
  if (!isatty(1) && !isatty(2)) return;
  const lines = welcomeLines({ url, publicUrl, hasConsole, dataDir, publishes });
  writeIfRead(2, lines.join('\n'));
}

async function serve(config: Config): Promise<void> {
  // Imported here, so that commands do not load modules that only the service needs.
  const { createLog: newLog } = await import('../assembly/log.ts');
  const log = newLog(config);
  logHangups(log);
  const stopping = firstSignal();
  const start = new AbortController();
  void stopping.then(() => start.abort());
  const { startService } = await import('../assembly/service.ts');
  const service = await startService(config, log, start.signal).catch((error: unknown) => {
    if (start.signal.aborted) return undefined;
    throw error;
  });
  if (service !== undefined) {
    writeIfRead(1, `listening on ${service.url}`);
    const { url, metricsUrl: metrics_url } = service;
    log.info({ url, metrics_url, version }, 'listening');
    welcome(config, service);
  }
  const signal = await stopping;
  log.info({ signal }, 'stopping');
  await service?.stop();
  log.info({}, 'stopped');
  // At process exit, remaining lines are written synchronously, ahead of a line still in flight. A reader that has stopped
  // reading does not keep the process.
  await Promise.race([new Promise<void>((resolve) => log.flush(() => resolve())), sleep(LAST_LINES_MS)]);
}

/**
 * Writes as much as the descriptor accepts.
 * @returns the number of bytes written
 * @throws OutputClosed if the reader has closed the pipe
 */
function writeSome(descriptor: number, bytes: Buffer, start: number): number {
  try {
    return writeSync(descriptor, bytes, start);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE') throw new OutputClosed();
    if (code !== 'EAGAIN') throw error;
    return 0;
  }
}

/** Writes all of the text and a line end synchronously, so that nothing is lost when the process exits or a pipe is slow. */
function writeLine(descriptor: number, line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let done = 0; done < bytes.length; ) done += writeSome(descriptor, bytes, done);
}

/** Writes a line if it can be written: not to a closed pipe, or to a full disk. */
function writeIfRead(descriptor: number, line: string): void {
  try {
    writeLine(descriptor, line);
  } catch {
    // The work does not depend on it.
  }
}

const status = await runProgram(process.argv.slice(2), {
  version,
  environment: process.env,
  output: { out: (line) => writeLine(1, line), err: (line) => writeIfRead(2, line) },
  serve,
});
process.exit(status);
