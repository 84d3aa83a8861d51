import type { Measure } from '../../model/quotas/percentages.ts';
import { type QuotaKey, UNLIMITED } from '../../model/quotas/quota.ts';
import { responseSchema } from '../edge/response-schema.ts';

/** Keys of the v1 extension, each with its v2 name. */
export const V1_KEYS = [
  ['domains', 'zones'],
  ['recordset_records', 'recordset_records'],
  ['domain_records', 'zone_records'],
  ['domain_recordsets', 'zone_recordsets'],
] as const satisfies readonly (readonly [string, QuotaKey])[];
export type V1Key = (typeof V1_KEYS)[number][0];

const shownLimit = responseSchema.integer({
  minimum: UNLIMITED,
  examples: [10],
  description: '-1 means unlimited.',
});
const LIMITS = {
  zones: shownLimit,
  zone_recordsets: shownLimit,
  zone_records: shownLimit,
  recordset_records: shownLimit,
  api_export_size: shownLimit,
} satisfies Record<QuotaKey, typeof shownLimit>;
export const shownLimits = responseSchema.titled('Quotas', responseSchema.object(LIMITS));
export const shownLimitsOfV1 = responseSchema.titled(
  'QuotasV1',
  responseSchema.object({
    domains: shownLimit,
    recordset_records: shownLimit,
    domain_records: shownLimit,
    domain_recordsets: shownLimit,
  } satisfies Record<V1Key, typeof shownLimit>),
);

const size = responseSchema.integer({ minimum: 0, examples: [2] });
const zoneSize = responseSchema.integer({ description: 'In bytes.', examples: [100_000_000] });
const percentage = responseSchema.nullable(
  responseSchema.number({ minimum: 0, description: 'Null if unlimited.', examples: [12.5] }),
);
/** Usage as a percentage of each limit. */
export const shownPercentages = responseSchema.titled(
  'Percentages',
  responseSchema.object({
    zones: percentage,
    zone_recordsets: percentage,
    zone_records: percentage,
    max_zone_size: percentage,
  } satisfies Record<Measure, typeof percentage>),
);
const shownZone = responseSchema.object({
  id: responseSchema.id,
  name: responseSchema.text({ examples: ['example.org.'] }),
  recordsets: size,
  records: size,
  bytes: size,
});
export const shownUsage = responseSchema.titled(
  'QuotaUsage',
  responseSchema.object({
    limits: shownLimits,
    usage: responseSchema.object({ zones: size, recordsets: size }),
    fullest_zone: responseSchema.nullable(shownZone),
    largest_zone: responseSchema.nullable(shownZone),
    max_zone_size: zoneSize,
    percentages: shownPercentages,
  }),
);
export const shownMaxima = responseSchema.titled(
  'Maxima',
  responseSchema.object({
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
export const shownMeasuredLimits = responseSchema.titled(
  'MeasuredLimits',
  responseSchema.object({ ...LIMITS, max_zone_size: zoneSize }),
);

/** Usage of one project, in the list of all projects. */
export const shownProjectUsage = responseSchema.titled(
  'ProjectUsage',
  responseSchema.object({
    project_id: responseSchema.projectId,
    usage: responseSchema.object({
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
