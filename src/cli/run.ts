import { readFileSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { createLog } from '../assembly/log.ts';
import type { RunningService } from '../assembly/service.ts';
import type { Config } from '../config/options.ts';
import { OutputClosed } from './errors.ts';
import { runProgram } from './program.ts';
import { welcomeLines } from './welcome.ts';

/** As far above the build's folder as above this one. */
const PACKAGE = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8'));

/** The first stop signal. Later ones change nothing: npm forwards the signal that the terminal has already sent. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on('SIGTERM', resolve);
    process.on('SIGINT', resolve);
  });
}

/** Many services reload on SIGHUP, and a closing terminal sends it. Here it ends nothing and reloads nothing. */
function logHangups(log: ReturnType<typeof createLog>): void {
  process.on('SIGHUP', (signal) => {
    log.info({ signal }, 'nothing is changed by this signal: options are read at start only');
  });
}

/** Tells a person at a terminal where to go from here. */
function welcome(
  { publicUrl, console: hasConsole, dataDir }: Config,
  { url, publishes }: RunningService,
): void {
  if (!isatty(1) && !isatty(2)) return;
  const lines = welcomeLines({ url, publicUrl, hasConsole, dataDir, publishes });
  for (const line of lines) writeIfRead(2, line);
}

async function serve(config: Config): Promise<void> {
  // Here, so that commands do not wait for what only the service needs.
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
  // Lines left at process exit are written synchronously, ahead of a line still in flight.
  await new Promise<void>((resolve) => log.flush(() => resolve()));
}

/** Writes as much as the descriptor takes. @throws OutputClosed if the reader has closed the pipe */
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

/** Writes a whole line at once, so that nothing is lost when the process ends or a pipe is slow. */
function writeLine(descriptor: number, line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let done = 0; done < bytes.length; ) done += writeSome(descriptor, bytes, done);
}

/** Writes a line, and ignores a reader that has closed the pipe. */
function writeIfRead(descriptor: number, line: string): void {
  try {
    writeLine(descriptor, line);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}

const status = await runProgram(process.argv.slice(2), {
  version,
  environment: process.env,
  output: { out: (line) => writeLine(1, line), err: (line) => writeIfRead(2, line) },
  serve,
});
process.exit(status);
