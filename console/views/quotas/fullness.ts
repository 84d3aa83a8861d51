import type { ProjectUsage } from '../../api/types.ts';

/** Each percentage of a project, with the usage it measures. */
const MEASURES = [
  ['zones', 'zones'],
  ['zone_recordsets', 'zone_recordsets'],
  ['zone_records', 'zone_records'],
  ['max_zone_size', 'zone_bytes'],
] as const;

/**
 * Usage of a project's tightest limit in percent; null if everything is unlimited. Unlike in the API, a limit of 0 is
 * not full while nothing is used.
 */
export function fullnessOf({ percentage, percentages, usage }: ProjectUsage): number | null {
  if (percentage === null) return null;
  return Math.max(0, ...MEASURES.map(([key, used]) => (usage[used] === 0 ? 0 : (percentages[key] ?? 0))));
}
