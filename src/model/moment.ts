/** Parses points in time and durations written by people. */

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SPAN = /^(\d{1,6})([mhd])$/;
const TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * The milliseconds since 1970 of a point in time such as 2030-01-31 or 2030-01-31T12:00:00Z, in UTC unless it has an
 * offset. NaN for invalid text, including 2030-02-30, which Date accepts as a day in March.
 */
export function millisecondsOf(text: string): number {
  const [, day, time, , , zone] = TIME.exec(text) ?? [];
  const midnight = day === undefined ? Number.NaN : Date.parse(day);
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day!);
  if (!exists) return Number.NaN;
  return Date.parse(time === undefined || zone !== undefined ? text : `${text}Z`);
}

/** The milliseconds of a duration such as 90d, 12h or 30m; undefined for other text. */
export function spanOf(text: string): number | undefined {
  const [, amount, unit] = SPAN.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * UNITS[unit as keyof typeof UNITS];
}
