import { cell, useCell } from '../cell.ts';
import { Waiting } from './waiting.tsx';

/** Number of pending actions that take long enough to show. */
const waitedFor = cell(0);

/** Counts a pending action. @returns a function that ends it */
export function noteWorking(): () => void {
  waitedFor.set(waitedFor.value + 1);
  return () => waitedFor.set(waitedFor.value - 1);
}

/** Shows that an action is pending. */
export function Working() {
  return <Waiting isSlow={useCell(waitedFor) > 0} what="Waiting for the service…" />;
}
