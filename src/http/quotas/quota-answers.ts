import type { Measure } from '../../model/quotas/percentages.ts';
import { type QuotaKey, UNLIMITED } from '../../model/quotas/quota.ts';
import { sent } from '../edge/sent.ts';

/** Keys of the v1 extension, each with its v2 name. */
export const V1_KEYS = [
  ['domains', 'zones'],
  ['recordset_records', 'recordset_records'],
  ['domain_records', 'zone_records'],
  ['domain_recordsets', 'zone_recordsets'],
] as const satisfies readonly (readonly [string, QuotaKey])[];
export type V1Key = (typeof V1_KEYS)[number][0];

const shownLimit = sent.integer({ minimum: UNLIMITED, examples: [10], description: '-1 means unlimited.' });
const LIMITS = {
  zones: shownLimit,
  zone_recordsets: shownLimit,
  zone_records: shownLimit,
  recordset_records: shownLimit,
  api_export_size: shownLimit,
} satisfies Record<QuotaKey, typeof shownLimit>;
export const shownLimits = sent.titled('Quotas', sent.object(LIMITS));
export const shownLimitsOfV1 = sent.titled(
  'QuotasV1',
  sent.object({
    domains: shownLimit,
    recordset_records: shownLimit,
    domain_records: shownLimit,
    domain_recordsets: shownLimit,
  } satisfies Record<V1Key, typeof shownLimit>),
);

const size = sent.integer({ minimum: 0, examples: [2] });
const zoneSize = sent.integer({ description: 'In bytes.', examples: [100_000_000] });
const percentage = sent.nullable(
  sent.number({ minimum: 0, description: 'Null if unlimited.', examples: [12.5] }),
);
/** Usage as a percentage of each limit. */
export const shownPercentages = sent.titled(
  'Percentages',
  sent.object({
    zones: percentage,
    zone_recordsets: percentage,
    zone_records: percentage,
    max_zone_size: percentage,
  } satisfies Record<Measure, typeof percentage>),
);
const shownZone = sent.object({
  id: sent.id,
  name: sent.text({ examples: ['example.org.'] }),
  recordsets: size,
  records: size,
  bytes: size,
});
export const shownUsage = sent.titled(
  'QuotaUsage',
  sent.object({
    limits: shownLimits,
    usage: sent.object({ zones: size, recordsets: size }),
    fullest_zone: sent.nullable(shownZone),
    largest_zone: sent.nullable(shownZone),
    max_zone_size: zoneSize,
    percentages: shownPercentages,
  }),
);
export const shownMaxima = sent.titled(
  'Maxima',
  sent.object({
    max_page_limit: size,
    max_recordset_name_length: size,
    max_recordset_records: shownLimit,
    max_zone_name_length: size,
    max_zone_records: shownLimit,
    max_zone_recordsets: shownLimit,
    max_zones: shownLimit,
    min_ttl: size,
  }),
);

/** All limits, including the one set only in the configuration. */
export const shownMeasuredLimits = sent.titled(
  'MeasuredLimits',
  sent.object({ ...LIMITS, max_zone_size: zoneSize }),
);

/** Usage of one project, in the list of all projects. */
export const shownProjectUsage = sent.titled(
  'ProjectUsage',
  sent.object({
    project_id: sent.projectId,
    usage: sent.object({
      zones: size,
      recordsets: size,
      zone_recordsets: size,
      zone_records: size,
      zone_bytes: size,
    }),
    limits: shownMeasuredLimits,
    percentages: shownPercentages,
    percentage,
  }),
);
