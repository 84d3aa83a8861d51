import { integer } from './kinds.ts';
import { option } from './option.ts';

/** The section `[history]`. */
export const HISTORY_OPTIONS = {
  historyDays: option(
    'history',
    'days',
    integer(0, 36500),
    '90',
    'How long changes of zones are kept, in days; 0 keeps only what IXFR needs.',
  ),
  historyBytesPerZone: option(
    'history',
    'max_bytes_per_zone',
    integer(0, 1_000_000_000_000),
    '16777216',
    'Maximum size of the changes kept per zone, in bytes; the oldest go first.',
  ),
  historyBytesPerProject: option(
    'history',
    'max_bytes_per_project',
    integer(0, 1_000_000_000_000),
    '268435456',
    'Maximum size of the changes kept per project, in bytes; the oldest go first.',
  ),
  deletedZoneDays: option(
    'history',
    'deleted_zone_days',
    integer(0, 36500),
    '30',
    'How long deleted zones are kept so that they can be restored, in days; 0 for not at all.',
  ),
} as const;
