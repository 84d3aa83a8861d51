import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { eventually } from '../eventually.ts';
import { keeperOf } from '../postgres/keeper.ts';
import { run } from '../process.ts';

/** A name server in a folder of its own. Nothing of it is left when the process that started it ends. */
export interface NameServer {
  readonly host: string;
  readonly port: number;
  readonly pid: number;
  /** Its working folder, which holds all that it writes. */
  readonly dataDir: string;
  /** All that it has logged. */
  readonly log: string;
  /** Starts it again on the same files, and waits until it answers. */
  start(): Promise<void>;
  /** Ends it in order; its files stay. */
  stop(): Promise<void>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

/** Where a server is to run, before it does. */
export interface Place {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Writes a file beside the server's data, and returns its path. */
  write(name: string, text: string): string;
  /** Runs commands of a shell there, the first failure being the last one. */
  run(commands: string, env?: Readonly<Record<string, string>>): Promise<void>;
  /** Starts the server, and waits until it answers. */
  start(command: readonly string[]): Promise<NameServer>;
  clear(): Promise<void>;
}

/** Where Debian has servers, which is not where everybody looks for programs. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [process.env.PATH, ...SERVER_FOLDERS].join(delimiter),
});

/**
 * Copies BIND's server into a folder, and returns where it is. AppArmor confines the one that is installed, by its path, to
 * folders that belong to the machine.
 */
export function copyOfNamed(folder: string): string {
  const installed = environment()
    .PATH!.split(delimiter)
    .map((each) => join(each, 'named'))
    .find(existsSync);
  if (installed === undefined) throw new Error('named is not installed (Debian: the package bind9).');
  const copy = join(folder, 'named');
  copyFileSync(installed, copy);
  return copy;
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Whether something answers DNS there, whatever it says. */
async function answers(host: string, port: number): Promise<boolean> {
  const asked = ['dig', `@${host}`, '-p', String(port), '+time=1', '+tries=1', 'version.bind.', 'SOA'];
  return (await run(asked)).status === 0;
}

/** Makes a place for a server. Its keeper knows its processes by their working folder. */
export function newPlace(port: number, host = '127.0.0.1'): Place {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'zonewarden-dns-'));
  const keeper = keeperOf(folder);
  const dataDir = join(folder, 'data');
  const logFile = join(folder, 'log');
  mkdirSync(dataDir);
  return {
    dataDir,
    host,
    port,
    write(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    async run(commands, env = {}) {
      const { status, err } = await run(['sh', '-euc', commands], { cwd: dataDir, env });
      if (status !== 0) throw new Error(`${commands}\nended with ${status}: ${err}`);
    },
    async start(command) {
      let child: ChildProcess;
      const start = async () => {
        const log = openSync(logFile, 'a');
        child = spawn(command[0]!, command.slice(1), {
          cwd: dataDir,
          env: environment(),
          detached: true,
          stdio: ['ignore', log, log],
        });
        closeSync(log);
        // Without the program there is no process, and the error says so.
        await once(child, 'spawn');
        child.unref();
        await eventually(async () => {
          if (hasEnded(child))
            throw new Error(`${command[0]} ended: ${readFileSync(logFile, 'utf8').slice(-3000)}`);
          return (await answers(host, port)) || undefined;
        });
      };
      await start();
      return {
        host,
        port,
        get pid() {
          return child.pid!;
        },
        dataDir,
        get log() {
          return readFileSync(logFile, 'utf8');
        },
        start,
        async stop() {
          if (hasEnded(child)) return;
          child.ref();
          const ended = once(child, 'exit');
          child.kill('SIGTERM');
          await ended;
        },
        remove: () => keeper.clear(),
      };
    },
    clear: () => keeper.clear(),
  };
}
