import { readFileSync } from 'node:fs';

/** The processor time of a process so far, in clock ticks (proc(5)). */
export function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
