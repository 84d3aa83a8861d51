import { readFileSync } from 'node:fs';

/** The processor time of a process so far, in clock ticks (proc(5)). */
export function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** The processor time of the main thread of a process so far, in milliseconds (Documentation/scheduler/sched-stats.rst of Linux). */
export function mainThreadTimeOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}
