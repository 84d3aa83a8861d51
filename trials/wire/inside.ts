import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a process says of itself. */
export interface Inside {
  /** What the longest turn of its event loop took of the processor since it was last asked, in milliseconds. */
  readonly turn: number;
  /** Octets, when all that can be freed is freed. */
  readonly heap: number;
  readonly rss: number;
}

const file = join(tmpdir(), `zonewarden-inside-${process.pid}.json`);

/**
 * Runs in the service. A turn is what its thread took of the processor between two timers: the machine may be busy, so the
 * clock says nothing.
 */
const PROBE = `
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
const taken = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
let longest = 0;
let before = taken();
setInterval(() => {
  const now = taken();
  longest = Math.max(longest, now - before);
  before = now;
}, 1).unref();
process.on('SIGUSR2', () => {
  const turn = longest;
  for (let i = 0; i < 4; i++) gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  writeFileSync('${file}.new', JSON.stringify({ turn, rss, heap: heapUsed + external }));
  renameSync('${file}.new', '${file}');
  longest = 0;
  before = taken();
});`;

/** Arguments of the runtime with which a process can be asked. */
export const PROBED = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(PROBE)}`];

/** How long the process may be busy with something else, in milliseconds. */
const PATIENCE_MS = 60_000;

/** @throws the system's error if the process is not there any more, or an error if it does not tell */
export async function askInside(pid: number): Promise<Inside> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const until = performance.now() + PATIENCE_MS;
  while (!existsSync(file)) {
    if (performance.now() > until) throw new Error('The service does not do anything any more.');
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.kill(pid, 0);
  }
  const told = JSON.parse(readFileSync(file, 'utf8')) as Inside;
  rmSync(file);
  return told;
}
