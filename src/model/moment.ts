/** Points in time and durations, as a person writes them. */

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SPAN = /^(\d{1,6})([mhd])$/;
const TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * The milliseconds of a point in time such as 2030-01-31 or 2030-01-31T12:00:00Z, which is one in UTC unless it says otherwise;
 * NaN for an invalid text, such as 2030-02-30, which Date accepts as March.
 */
export function millisecondsOf(text: string): number {
  const [, day, time, , , zone] = TIME.exec(text) ?? [];
  const midnight = day === undefined ? Number.NaN : Date.parse(day);
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day!);
  if (!exists) return Number.NaN;
  return Date.parse(time === undefined || zone !== undefined ? text : `${text}Z`);
}

/** The milliseconds of a duration such as 90d, 12h or 30m; undefined for any other text. */
export function spanOf(text: string): number | undefined {
  const [, amount, unit] = SPAN.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * UNITS[unit as keyof typeof UNITS];
}
