/** What processes take of the machine, as /proc has it. */
import { readFileSync, writeFileSync } from 'node:fs';

/** Of the system's clock, in a second: the same on every Linux that Node.js runs on. */
const TICKS = 100;
const USER_FIELD = 11;
const IDLE_FIELDS = [3, 4];

/** The processor time that a process has taken so far, in seconds. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program may have spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_FIELD]) + Number(fields[USER_FIELD + 1])) / TICKS;
}

/** The processor time that everything on this machine has taken so far, in seconds. */
export function machineSeconds(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const fields = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return fields.reduce((sum, ticks, place) => (IDLE_FIELDS.includes(place) ? sum : sum + ticks), 0) / TICKS;
}

function megabytes(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}

/** The resident memory of a process now, in MiB. */
export const residentMemory = (pid: number): number => megabytes(pid, 'VmRSS');

/** The most that it was since `forgetPeak`, in MiB. */
export const peakMemory = (pid: number): number => megabytes(pid, 'VmHWM');

/** Lets the peak begin anew. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Which processes took how much of a processor between two moments. */
export class Shares {
  readonly #pids: Readonly<Record<string, number>>;
  readonly #since = performance.now();
  readonly #machine = machineSeconds();
  readonly #before: Readonly<Record<string, number>>;

  constructor(pids: Readonly<Record<string, number>>) {
    this.#pids = pids;
    this.#before = this.#times();
  }

  /** In processors: 1 is all of one. */
  now(): Readonly<Record<string, number>> {
    const seconds = (performance.now() - this.#since) / 1000;
    const own = Object.entries(this.#times()).map(([name, time]) => [
      name,
      (time - this.#before[name]!) / seconds,
    ]);
    return { ...Object.fromEntries(own), machine: (machineSeconds() - this.#machine) / seconds };
  }

  #times(): Record<string, number> {
    return Object.fromEntries(Object.entries(this.#pids).map(([name, pid]) => [name, processorSeconds(pid)]));
  }
}
