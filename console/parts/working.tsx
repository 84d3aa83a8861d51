import { cell, useCell } from '../cell.ts';
import { Waiting } from './waiting.tsx';

/** How many actions people wait for, long enough to be told. */
const waitedFor = cell(0);

/** Counts an action among those that people wait for. @returns ends that */
export function noteWorking(): () => void {
  waitedFor.set(waitedFor.value + 1);
  return () => waitedFor.set(waitedFor.value - 1);
}

/** Says that something was sent to the service, and that its answer is waited for. */
export function Working() {
  return <Waiting isSlow={useCell(waitedFor) > 0} what="Waiting for the service…" />;
}
