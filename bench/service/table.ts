/** What a row of the table is about. */
export interface Subject {
  readonly store: string;
  readonly what: string;
  readonly tenants: number;
  readonly connections: number;
}

function quantile(sorted: readonly number[], share: number): string {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(2);
}

function printCells({ store, what, tenants, connections }: Subject, ...figures: readonly unknown[]): void {
  console.log(`| ${[store, what, tenants, connections, ...figures].join(' | ')} |`);
}

export function printHead(): void {
  console.log('| store | what | tenants | connections | a second | p50, ms | p99, ms |');
  console.log('|---|---|---|---|---|---|---|');
}

/**
 * Prints the row of what was measured, and returns how often it was done in a second.
 * @param latencies in milliseconds
 */
export function print(subject: Subject, latencies: readonly number[], seconds: number): number {
  const sorted = [...latencies].sort((a, b) => a - b);
  const rate = Math.round(latencies.length / seconds);
  printCells(subject, rate, quantile(sorted, 0.5), quantile(sorted, 0.99));
  return rate;
}

/** Prints the row that compares what the service does in a second with what the bare driver does. */
export function printRatio(subject: Subject, rate: number, bareRate: number): void {
  printCells({ ...subject, store: 'ratio to the bare driver' }, (rate / bareRate).toFixed(2), '', '');
}
