import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';

const execute = promisify(execFile);

/** Where Debian's packages were installed, or unpacked with `dpkg -x`. */
const ROOT = process.env.DESIGNATE_ROOT ?? '/';
const PASTE = join(ROOT, 'usr/share/designate-common/api-paste.ini');
const PYTHON_PATH = join(ROOT, 'usr/lib/python3/dist-packages');
const TO_INSTALL =
  'Designate is missing. On Debian: apt-get install --no-install-recommends designate-api designate-central, or unpack the packages and name their folder in DESIGNATE_ROOT.';
/** Debian's Python runs Debian's programs. */
const ENVIRONMENT = { ...process.env, PATH: '/usr/sbin:/usr/bin:/sbin:/bin', PYTHONPATH: PYTHON_PATH };
/** How long it may take to answer its first request. */
const START_MS = 120_000;
const ADMINISTRATOR = { 'x-auth-all-projects': 'true', 'content-type': 'application/json' };

// Tests and npm's scripts run in the project's folder.
const script = (name: string): string => resolve('test/support/designate', name);

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
type Json = any;

/** Debian's Designate, which believes whoever asks. */
export interface RealDesignate {
  readonly url: string;
  readonly pid: number;
  /** Sends a request on behalf of a project. */
  request(method: string, path: string, body?: object, projectId?: string): Promise<Json>;
  stop(): Promise<void>;
}

async function untilReady(server: ChildProcess, log: string): Promise<void> {
  for (const start = performance.now(); !/^ready$/m.test(readFileSync(log, 'utf8')); await after(100)) {
    if (server.exitCode === null && performance.now() - start < START_MS) continue;
    throw new Error(`Designate did not start: ${readFileSync(log, 'utf8').slice(-2000)}`);
  }
}

/**
 * Starts it in a folder of its own.
 * @param zones that its database has from the start, which is one of SQLite then
 * @param connection the connection string of its database; one of SQLite in the folder if there is none
 */
export async function startDesignate(zones = 0, connection?: string): Promise<RealDesignate> {
  if (!existsSync(PASTE)) throw new Error(TO_INSTALL);
  const folder = mkdtempSync(join(tmpdir(), 'zonewarden-designate-'));
  const port = await freePort();
  const log = join(folder, 'log');
  const start = async (): Promise<ChildProcess> => {
    const output = openSync(log, 'w');
    const args = [script('run.py'), folder, String(port), PASTE, ...(connection ? [connection] : [])];
    const server = spawn('python3', args, { stdio: ['ignore', output, output], env: ENVIRONMENT });
    await untilReady(server, log);
    return server;
  };
  const end = async (server: ChildProcess): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  let server = await start();
  if (zones > 0) {
    await end(server);
    await execute('python3', [script('seed.py'), folder, String(zones)], { env: ENVIRONMENT });
    server = await start();
  }
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    pid: server.pid!,
    async request(method, path, body, projectId = 'admin') {
      const headers = { ...ADMINISTRATOR, 'x-auth-project-id': projectId };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${url}${path}`, { method, headers, ...sent });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    async stop() {
      await end(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
