import { quantile } from '../../test/support/figures.ts';

/** Nanoseconds. */
export function now(): number {
  return Number(process.hrtime.bigint() - ORIGIN);
}

const ORIGIN = process.hrtime.bigint();

export interface Timing {
  /** The median over batches, of the mean of a batch. */
  readonly p50: number;
  /** Of single operations, with the reading of the clock in it. */
  readonly p99: number;
}

const BATCH = 20;

/**
 * Times an operation on items that it has not seen. One half is timed in batches, since a single operation is too
 * short for the clock; the other half one by one.
 */
export function timed<T>(items: readonly T[], operation: (item: T) => unknown): Timing {
  const half = Math.floor(items.length / 2);
  const batches: number[] = [];
  for (let i = 0; i + BATCH <= half; i += BATCH) {
    const begin = now();
    for (let j = i; j < i + BATCH; j++) operation(items[j]!);
    batches.push((now() - begin) / BATCH);
  }
  const singles: number[] = [];
  for (let i = half; i < items.length; i++) {
    const begin = now();
    operation(items[i]!);
    singles.push(now() - begin);
  }
  return { p50: quantile(batches, 0.5), p99: quantile(singles, 0.99) };
}

/** What reading the clock twice takes. */
export function clockCost(): number {
  return quantile(
    Array.from({ length: 10_000 }, () => -now() + now()),
    0.5,
  );
}

export function memory(): number {
  for (let i = 0; i < 4; i++) globalThis.gc!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

export function micros(nanos: number): string {
  const value = nanos / 1000;
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 10 ? 1 : 2);
}
