/** What a process and its database do in a minute in which nobody changes anything. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../../test/support/figures.ts';
import { ticksOf } from '../support/processor-time.ts';

const TICKS_A_SECOND = 100;
const PROBE_MS = 20;

/** The processor time of a process so far, of its children, and of those of them that have ended, in seconds. */
export function processorOfAll(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  const ended = Number(fields[13]) + Number(fields[14]);
  const living = children.map(Number).reduce((sum, child) => {
    try {
      return sum + ticksOf(child);
    } catch {
      // It has just ended.
      return sum;
    }
  }, ticksOf(pid));
  return (living + ended) / TICKS_A_SECOND;
}

/** The time that the main thread of a process has had a processor, in milliseconds. */
function mainThreadOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** The processor time of both in so many seconds without a request, in seconds. */
export async function idle(
  seconds: number,
  service: number,
  database?: number,
): Promise<{ readonly service: number; readonly database: number | undefined }> {
  const before = [service, database].map((pid) => (pid === undefined ? 0 : processorOfAll(pid)));
  await delay(seconds * 1000);
  return {
    service: processorOfAll(service) - before[0]!,
    database: database === undefined ? undefined : processorOfAll(database) - before[1]!,
  };
}

/** Asks every 20 ms. @returns milliseconds: of answers, and the most of the main thread from one answer to the next */
export async function probed(
  seconds: number,
  service: number,
  ask: () => Promise<unknown>,
): Promise<{ readonly longest: number; readonly p99: number; readonly mostOfThread: number }> {
  const times: number[] = [];
  let before = mainThreadOf(service);
  let mostOfThread = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const begun = performance.now();
    await ask();
    times.push(performance.now() - begun);
    const now = mainThreadOf(service);
    mostOfThread = Math.max(mostOfThread, now - before);
    before = now;
    await delay(PROBE_MS);
  }
  return { longest: Math.max(...times), p99: quantile(times, 0.99), mostOfThread };
}

/** The memory that a process has now, in MiB. */
export function memoryOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kib) / 1024;
}
