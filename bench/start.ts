/**
 * How long the program takes to start: medians of wall and of processor time.
 *
 *     npm run bench -- start [--rounds 11]
 *
 * Commands are measured to their end, and the service until it says that it listens; its processor time comes in steps of 10 ms.
 * Data folders are under TMPDIR.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { medianOf } from './support/median.ts';
import { ticksOf } from './support/processor-time.ts';

const MAIN = resolve('dist/main.js');
const TICKS_A_SECOND = 100;
/** Runs a program, and says at the end what it has used, in seconds: by the user and by the system. */
const TIMED = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '11' } } });
const rounds = Number(values.rounds);

/** In seconds. */
interface Taken {
  readonly wall: number;
  readonly processor: number;
}

const folder = mkdtempSync(join(tmpdir(), 'zonewarden-start-'));
const environmentOf = (dataDir: string) => ({
  ...process.env,
  ZONEWARDEN_DEFAULT__DATA_DIR: dataDir,
  ZONEWARDEN_SERVICE_API__LISTEN: '127.0.0.1:0',
});

const median = (values: readonly number[]): string => medianOf(values).toFixed(3);

function command(args: readonly string[], dataDir = folder): Taken {
  const begun = performance.now();
  const words = ['-c', TIMED, 'bash', process.execPath, MAIN, ...args];
  const { stderr } = spawnSync('bash', words, { env: environmentOf(dataDir), encoding: 'utf8' });
  const wall = (performance.now() - begun) / 1000;
  const [user, system] = stderr.trim().split(' ').map(Number);
  return { wall, processor: user! + system! };
}

/** The processor time of a process and of all that it has started. */
function ticksOfAll(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + ticksOfAll(Number(child)), ticksOf(pid));
}

async function listening(child: ChildProcess): Promise<void> {
  for await (const line of createInterface({ input: child.stdout! })) {
    if (line.startsWith('listening on ')) return;
  }
  throw new Error('The service ended before it listened.');
}

async function service(words: readonly string[], dataDir: string): Promise<Taken> {
  const begun = performance.now();
  const [program, ...args] = words as [string, ...string[]];
  const child = spawn(program, args, {
    env: environmentOf(dataDir),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await listening(child);
  const taken = {
    wall: (performance.now() - begun) / 1000,
    processor: ticksOfAll(child.pid!) / TICKS_A_SECOND,
  };
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
  return taken;
}

async function measure(what: string, once: (round: number) => Taken | Promise<Taken>): Promise<void> {
  const taken: Taken[] = [];
  for (let round = 0; round < rounds; round++) taken.push(await once(round));
  const wall = median(taken.map((one) => one.wall));
  console.log(`| ${what} | ${wall} | ${median(taken.map(({ processor }) => processor))} |`);
}

const serve = [process.execPath, MAIN, 'serve'];
const existing = join(folder, 'existing');
try {
  console.log('| what | seconds | of processor time |\n| --- | --- | --- |');
  await measure('`--version`', () => command(['--version']));
  await measure('`help`', () => command(['help']));
  await measure('an unknown command', () => command(['serv']));
  await service(serve, existing);
  await measure('`token list`', () => command(['token', 'list'], existing));
  await measure('`serve` on an empty store', (round) => service(serve, join(folder, `empty-${round}`)));
  await measure('`serve` on an existing store', () => service(serve, existing));
  await measure('`npm start` on a built checkout', () => service(['npm', 'start'], existing));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
