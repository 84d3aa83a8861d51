#!/usr/bin/env node
import { readFileSync, writeSync } from 'node:fs';
import { runProgram } from './cli/program.ts';
import type { Config } from './config/options.ts';
import { createLog } from './log.ts';
import { startService } from './service.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The first stop signal. Later ones change nothing: npm forwards the signal that the terminal has already sent. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on('SIGTERM', resolve);
    process.on('SIGINT', resolve);
  });
}

async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const stopping = firstSignal();
  const service = await startService(config, log);
  process.stdout.write(`listening on ${service.url}\n`);
  log.info({ url: service.url, version }, 'listening');
  const signal = await stopping;
  log.info({ signal }, 'stopping');
  await service.stop();
  log.info({}, 'stopped');
  // Lines left at process exit are written synchronously, ahead of a line still in flight.
  await new Promise<void>((resolve) => log.flush(() => resolve()));
}

/** Writes a whole line at once, so that nothing is lost when the process ends or a pipe is slow. */
function writeLine(descriptor: number, line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(descriptor, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

const status = await runProgram(process.argv.slice(2), {
  version,
  environment: process.env,
  output: { out: (line) => writeLine(1, line), err: (line) => writeLine(2, line) },
  serve,
});
process.exit(status);
