import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs within the service: tells every 50 ms how much of the processor one turn of its event loop took at most. It is the
 * time of that thread alone, not time that passed: on a machine that does other things, a turn may take any time.
 */
const watch = (told: string): string => `
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
const used = () => Number(readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'utf8').split(' ')[0]) / 1e6;
let largest = 0;
let last = used();
process.on('SIGUSR2', () => { largest = 0; });
setInterval(() => {
  const now = used();
  largest = Math.max(largest, now - last);
  last = now;
}, 1).unref();
const tell = () => {
  try {
    writeFileSync(${JSON.stringify(`${told}.new`)}, String(largest));
    renameSync(${JSON.stringify(`${told}.new`)}, ${JSON.stringify(told)});
  } catch {}
};
tell();
setInterval(tell, 50).unref();`;

/** What the service's event loop did, on Linux. */
export class Probe {
  readonly #folder = mkdtempSync(join(tmpdir(), 'zonewarden-hostile-'));
  readonly #told = join(this.#folder, 'told');

  /** For the runtime of the service. */
  get arguments(): readonly string[] {
    return ['--import', `data:text/javascript,${encodeURIComponent(watch(this.#told))}`];
  }

  reset(pid: number): void {
    process.kill(pid, 'SIGUSR2');
  }

  /** The largest turn since the last reset, in milliseconds of the processor. */
  get largestTurn(): number {
    return Number(readFileSync(this.#told, 'utf8'));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
