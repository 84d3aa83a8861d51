import { type Limits, UNLIMITED } from './quota.ts';

/**
 * Usage that is compared with limits: zones, and recordsets, records and bytes of the zone that has the most of each.
 */
export const MEASURES = ['zones', 'zone_recordsets', 'zone_records', 'max_zone_size'] as const;
export type Measure = (typeof MEASURES)[number];

/** The limits of a project, and the maximum size of a zone in bytes. */
export type MeasuredLimits = Limits & Readonly<Record<'max_zone_size', number>>;

/** Usage of each limit in percent; null if it is unlimited. */
export type Percentages = Readonly<Record<Measure, number | null>>;

/** Rounded down to a tenth, so that 100 means that nothing is left. */
export function percentageOf(usage: number, limit: number): number | null {
  if (limit === UNLIMITED) return null;
  return limit === 0 ? 100 : Math.floor((1000 * usage) / limit) / 10;
}

export function percentagesOf(usage: Readonly<Record<Measure, number>>, limits: MeasuredLimits): Percentages {
  const each = MEASURES.map((key) => [key, percentageOf(usage[key], limits[key])]);
  return Object.fromEntries(each) as Percentages;
}

/** The highest percentage; null if everything is unlimited. */
export function highestOf(percentages: Percentages): number | null {
  const limited = Object.values(percentages).filter((one) => one !== null);
  return limited.length === 0 ? null : Math.max(...limited);
}
