import { quantile, table } from '../../test/support/figures.ts';

/** What was measured, for a program to read: one line each. */
export function line(what: string, figures: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify({ bench: 'publication', what, ...figures }));
  console.log('');
}

/** Prints rows of values under their names. */
export function rows(all: readonly Readonly<Record<string, string | number>>[]): void {
  const head = Object.keys(all[0]!);
  table(
    head,
    all.map((row) => head.map((name) => String(row[name]))),
  );
}

/** A number with so many digits after the point. */
export const round = (value: number, digits = 1): number => Number(value.toFixed(digits));

export const median = (samples: readonly number[], digits = 1): number =>
  round(quantile(samples, 0.5), digits);

/** Median and range, as a table shows them. */
export function spread(samples: readonly number[], digits = 2): string {
  const [low, high] = [Math.min(...samples), Math.max(...samples)];
  return `${median(samples, digits)} (${round(low, digits)} to ${round(high, digits)})`;
}
