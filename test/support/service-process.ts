import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { storeOptions } from './store.ts';

type Environment = Readonly<Record<string, string>>;
type LogLine = Readonly<Record<string, unknown>>;

/** The built service as a process of its own, on a free port, with a data folder of its own. */
export interface ServiceProcess {
  readonly pid: number;
  readonly url: string;
  readonly dataDir: string;
  /** The first admin token, of the project `admin`. */
  readonly admin: string;
  /** Every line that was logged, read anew each time. */
  readonly logged: readonly LogLine[];
  /** Runs a command of the program on the same data folder and returns what it prints. */
  command(...args: string[]): string;
  /** Makes a token. */
  token(projectId: string, ...roles: string[]): string;
  /** Stops the service and starts it again on the same data folder. */
  restart(): Promise<void>;
  /** Stops the service and removes its data folder. */
  remove(): Promise<void>;
}

// npm runs its scripts in the project's folder.
const BUILT_PROGRAM = resolve('dist/main.js');

/** Waits for the line that says where the service listens. */
async function addressOf(child: ChildProcess, logFile: string): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`The service ended before it was ready: ${readFileSync(logFile, 'utf8')}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/**
 * Starts the built service.
 * @param environment options, as an operator would give them
 * @param node arguments of the runtime itself
 * @param program its file, where it is not the one that was built here
 */
export async function startServiceProcess(
  environment: Environment = {},
  node: readonly string[] = [],
  program = BUILT_PROGRAM,
): Promise<ServiceProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewarden-process-'));
  const dataDir = join(folder, 'data');
  const logFile = join(folder, 'log');
  const env = {
    ...process.env,
    ...storeOptions(dataDir),
    ZONEWARDEN_SERVICE_API__LISTEN: '127.0.0.1:0',
    ...environment,
  };
  const start = async () => {
    const log = openSync(logFile, 'a');
    const child = spawn(process.execPath, [...node, program, 'serve'], {
      env,
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    return { child, url: await addressOf(child, logFile) };
  };
  const command = (...args: string[]) =>
    execFileSync(process.execPath, [program, ...args], {
      env,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  let running = await start();
  return {
    get pid() {
      return running.child.pid!;
    },
    get url() {
      return running.url;
    },
    dataDir,
    get admin() {
      return readFileSync(join(dataDir, 'admin.token'), 'utf8').trim();
    },
    get logged() {
      const lines = readFileSync(logFile, 'utf8').split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line));
    },
    command,
    token(projectId, ...roles) {
      const granted = roles.flatMap((role) => ['--role', role]);
      return command('token', 'create', '--project', projectId, ...granted).trim();
    },
    async restart() {
      await stop(running.child);
      running = await start();
    },
    async remove() {
      await stop(running.child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
