import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** How a run of the client ended. */
export interface Outcome {
  readonly status: number;
  /** What it printed as JSON; undefined when it printed nothing. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly json: any;
  /** What it said on standard error. */
  readonly message: string;
}

const TO_INSTALL =
  'On Debian: apt-get install python3-openstackclient python3-designateclient. Elsewhere: pip install python-openstackclient python-designateclient.';

/** The environment without what would lead the client to another cloud, or through a proxy. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('OS_'));
  return { ...Object.fromEntries(own), NO_PROXY: '*', no_proxy: '*' };
}

/** The interpreter that runs the client, as its first line names it. */
function interpreter(): readonly string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const file = folders.map((folder) => join(folder, 'openstack')).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`The command "openstack" is missing. ${TO_INSTALL}`);
  const [first = ''] = readFileSync(file, 'utf8').split('\n', 1);
  return first.replace(/^#!\s*/, '').split(' ');
}

interface Ended {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command of the client. */
type Run = (args: readonly string[]) => Promise<Ended>;

/** The client, loaded once: to load it takes much longer than any of its commands. */
function startClient(): Run {
  const [program, ...words] = interpreter();
  const script = fileURLToPath(new URL('forks.py', import.meta.url));
  const stdio = ['pipe', 'pipe', 'inherit'] as const;
  const child = spawn(program!, [...words, script], { env: environment(), stdio: [...stdio] });
  const asked = new Map<number, { resolve(ended: Ended): void; reject(error: Error): void }>();
  let last = 0;
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const { id, ...ended } = JSON.parse(line);
    asked.get(id)?.resolve(ended);
    asked.delete(id);
  });
  child.on('close', (status) => {
    client = undefined;
    for (const { reject } of asked.values()) reject(new Error(`The client cannot be loaded: ${status}.`));
  });
  // The end of the tests ends the child.
  for (const one of [child, child.stdin, child.stdout]) (one as unknown as { unref(): void }).unref();
  return (args) => {
    last += 1;
    const id = last;
    const ended = new Promise<Ended>((resolve, reject) => asked.set(id, { resolve, reject }));
    child.stdin!.write(`${JSON.stringify({ id, args })}\n`);
    return ended;
  };
}

let client: Run | undefined;

function run(args: readonly string[]): Promise<Ended> {
  client ??= startClient();
  return client(args);
}

/** @throws Error that says what to install, where the client or its part for DNS is missing */
export async function requireOpenstack(): Promise<void> {
  const { out } = await run(['help', 'zone', 'blacklist', 'create']);
  if (!out.includes('--pattern')) {
    throw new Error(
      `The command "openstack" has no "zone blacklist": its part for DNS is missing. ${TO_INSTALL}`,
    );
  }
}

/** A caller of the client: each call is one command, its words separated by spaces or given as a list. */
export function openstackWith(access: readonly string[]) {
  return async (command: string, ...more: string[]): Promise<Outcome> => {
    const { status, out, err } = await run([...access, ...command.split(' '), ...more]);
    return { status, json: /^\s*[[{]/.test(out) ? JSON.parse(out) : undefined, message: err.trim() };
  };
}

/** The same, for an endpoint and a token that it takes. */
export function openstackAs(endpoint: string, token: string) {
  return openstackWith(['--os-auth-type', 'admin_token', '--os-endpoint', endpoint, '--os-token', token]);
}
