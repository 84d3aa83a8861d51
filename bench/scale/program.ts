/** The program on the store of a data folder: as a service, or as a command. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { storeOptions } from '../../test/support/store.ts';

const MAIN = resolve('dist/main.js');

/** Where a store and its services are. */
export interface Place {
  readonly dataDir: string;
  /** What services log is appended to this file. */
  readonly logFile: string;
  /** The port of the hidden primary. */
  readonly primaryPort: number;
}

export interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  /** From the start of the process until /healthcheck answered, in seconds. */
  readonly startedIn: number;
}

async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The service ended before it listened.');
}

/** @param node arguments of the runtime */
export async function start(
  place: Place,
  node: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const begun = performance.now();
  const log = openSync(place.logFile, 'a');
  const child = spawn(process.execPath, [...node, MAIN, 'serve'], {
    env: {
      ...process.env,
      ...environment,
      ...storeOptions(place.dataDir),
      ZONEWARDEN_SERVICE_API__LISTEN: '127.0.0.1:0',
      ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${place.primaryPort}`,
      ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
      ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
    },
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  const url = await addressOf(child);
  const { status } = await fetch(`${url}/healthcheck`);
  if (status !== 200) throw new Error(`/healthcheck was answered ${status}.`);
  return { child, pid: child.pid!, url, startedIn: (performance.now() - begun) / 1000 };
}

export async function stop({ child }: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

export const adminTokenOf = ({ dataDir }: Place): string =>
  readFileSync(`${dataDir}/admin.token`, 'utf8').trim();

/** How long a program takes, in seconds. @throws if it ends with more than `mostStatus` */
export async function timedRun(
  program: string,
  args: readonly string[],
  { env = {}, mostStatus = 0 }: { env?: Readonly<Record<string, string>>; mostStatus?: number } = {},
): Promise<number> {
  const begun = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = await once(child, 'exit');
  if (status === null || status > mostStatus) throw new Error(`${program} ${args[0]} ended with ${status}.`);
  return (performance.now() - begun) / 1000;
}

/** How long a command of the program takes, in seconds. `verify` ends with 1 where it finds something. */
export const command = ({ dataDir }: Place, ...args: readonly string[]): Promise<number> =>
  timedRun(process.execPath, [MAIN, ...args], { env: storeOptions(dataDir), mostStatus: 1 });
