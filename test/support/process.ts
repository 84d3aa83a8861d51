import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { exchange } from './http-exchange.ts';
import { storeOptions } from './store.ts';

/** The program as it is built and installed. Tests and npm's scripts run in the project's folder. */
export const PROGRAM = resolve('dist/main.js');

type Environment = Readonly<Record<string, string>>;

/** How a process ended, and all that it wrote. */
export interface Finished {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly json: any;
}

/** The environment of the tests without the options of whoever runs them. */
function cleanEnvironment(own: Environment): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('ZONEWARDEN_'));
  return { ...Object.fromEntries(kept), ...own };
}

/** A folder for one test, and what removes it. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'zonewarden-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Captured {
  readonly child: ChildProcess;
  out: string;
  err: string;
  readonly ended: Promise<Finished>;
}

function capture(command: readonly string[], options: SpawnOptions): Captured {
  const child = spawn(command[0]!, command.slice(1), options);
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    captured.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    captured.err += text;
  });
  const ended = once(child, 'close').then(([status, signal]) => {
    return { status, signal, out: captured.out, err: captured.err };
  });
  const captured: Captured = { child, out: '', err: '', ended };
  return captured;
}

export interface CommandOptions {
  readonly env?: Environment;
  /** Standard input; empty without it. */
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
}

/** Runs any program to its end. */
export function run(command: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  const { env = {}, input = '', cwd } = options;
  const { child, ended } = capture(command, { env: cleanEnvironment(env), ...(cwd ? { cwd } : {}) });
  // A command that fails early does not wait for its input.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  return ended;
}

/** Runs one command of zonewarden to its end. */
export function zonewarden(args: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  return run([process.execPath, PROGRAM, ...args], options);
}

/** Starts one command of zonewarden, without waiting for anything. */
export function spawnZonewarden(args: readonly string[], env: Environment = {}): Captured {
  return capture([process.execPath, PROGRAM, ...args], { env: cleanEnvironment(env) });
}

/** Commands on one data folder. */
export function commandsOn(dataDir: string) {
  return (args: readonly string[], options: CommandOptions = {}): Promise<Finished> =>
    zonewarden(args, { ...options, env: { ...storeOptions(dataDir), ...options.env } });
}

/** What a process has written that matches; fails when it ends without it. */
export async function written(
  process: Captured,
  from: 'out' | 'err',
  what: RegExp,
): Promise<RegExpExecArray> {
  const stream = from === 'out' ? process.child.stdout! : process.child.stderr!;
  for (;;) {
    const found = what.exec(process[from]);
    if (found !== null) return found;
    const more = new AbortController();
    const signal = more.signal;
    const end = process.ended.then((finished) => finished);
    const next = await Promise.race([once(stream, 'data', { signal }).then(() => undefined), end]);
    more.abort();
    if (next !== undefined && !what.test(process[from])) {
      throw new Error(`The process ended with ${next.status ?? next.signal}: ${next.err}`);
    }
  }
}

export interface Asked {
  readonly token?: string;
  /** Sent as JSON unless it is text. */
  readonly body?: unknown;
  readonly headers?: Environment;
}

export async function ask(url: string, method: string, path: string, asked: Asked = {}): Promise<Answer> {
  const { token, body, headers = {} } = asked;
  const answer = await exchange(`${url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { 'x-auth-token': token }),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  });
  const { status, text } = answer;
  return { status, headers: answer.headers, json: text === '' ? undefined : JSON.parse(text) };
}

/** A running service in a process of its own. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  readonly dataDir: string;
  /** The first admin token. */
  readonly admin: string;
  readonly output: { readonly out: string; readonly err: string };
  /** The JSON lines of the log so far. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  readonly ended: Promise<Finished>;
  request(method: string, path: string, asked?: Asked): Promise<Answer>;
  /** Creates a zone in the caller's project. */
  create(name: string, token?: string): Promise<Answer>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Finished>;
}

export interface StartOptions {
  readonly dataDir: string;
  readonly env?: Environment;
  readonly args?: readonly string[];
  /** What stands before the program on the command line and ends up as it, in the same process. */
  readonly through?: readonly string[];
  readonly program?: string;
}

/** Spawns `zonewarden serve` on a free port, without waiting for anything. */
export function spawnService(options: StartOptions): Captured {
  const { dataDir, env = {}, args = [], through = [], program = PROGRAM } = options;
  const listen = { ZONEWARDEN_SERVICE_API__LISTEN: '127.0.0.1:0' };
  return capture([...through, process.execPath, program, 'serve', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: cleanEnvironment({ ...storeOptions(dataDir), ...listen, ...env }),
  });
}

export function logLines(err: string): Readonly<Record<string, unknown>>[] {
  const whole = err.slice(0, err.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Starts the service and waits until it says that it listens. */
export async function startProcess(options: StartOptions): Promise<ServiceProcess> {
  const captured = spawnService(options);
  const { child, ended } = captured;
  const url = (await written(captured, 'out', /^listening on (http:\/\/\S+)\n/))[1]!;
  const request = (method: string, path: string, asked?: Asked) => ask(url, method, path, asked);
  // Where the process has a file system of its own mounted there, the file is seen through the process alone.
  const folder = options.through ? folderSeenBy(child.pid!, options.dataDir) : options.dataDir;
  let admin: string | undefined;
  const adminToken = () => {
    admin ??= readFileSync(join(folder, 'admin.token'), 'utf8').trim();
    return admin;
  };
  return {
    child,
    pid: child.pid!,
    url,
    dataDir: options.dataDir,
    get admin() {
      return adminToken();
    },
    output: captured,
    get log() {
      return logLines(captured.err);
    },
    ended,
    request,
    create: (name, token = adminToken()) =>
      request('POST', '/v2/zones', { token, body: { name, email: 'hostmaster@example.org' } }),
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** A folder as the process sees it, which may have mounted another one there. */
export function folderSeenBy(pid: number, folder: string): string {
  return join(`/proc/${pid}/root`, folder);
}
