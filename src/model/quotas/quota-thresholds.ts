/** Decides when a project is notified that it is near a limit. Pure. */

import { MEASURES, type Measure, type MeasuredLimits, percentageOf } from './percentages.ts';
import { NOTHING_NOTIFIED, type NotifiedThresholds, UNLIMITED } from './quota.ts';

/** An event is emitted at `at` percent of a limit, and again only after usage has fallen below `again` percent. */
export const THRESHOLDS = [
  { type: 'quota.near', at: 80, again: 75, bit: 1 },
  { type: 'quota.reached', at: 100, again: 90, bit: 2 },
] as const;

type Threshold = (typeof THRESHOLDS)[number];

/** A threshold that usage has crossed upwards. */
export interface QuotaAlert {
  readonly type: Threshold['type'];
  readonly measure: Measure;
  readonly limit: number;
  readonly usage: number;
  readonly percentage: number;
}

/** The thresholds that a change crosses: for the number of zones, and for the sizes of its zone. */
export interface ThresholdState {
  readonly ofProject: readonly QuotaAlert[];
  readonly ofZone: readonly QuotaAlert[];
  /** The owner's new notified thresholds for the number of zones; undefined if unchanged. */
  readonly notified?: NotifiedThresholds;
}

/** A usage after a change. */
export interface Use {
  readonly measure: Measure;
  readonly usage: number;
  /** Undefined if usage does not grow: then the limit of the last notification is used. */
  readonly limit: number | undefined;
  /** True if usage has become a larger share of the limit. */
  readonly rises: boolean;
}

/** The thresholds to notify for one limit, and the new notified thresholds. */
export function quotaAlert(
  notified: NotifiedThresholds,
  { measure, usage, limit = notified.limit, rises }: Use,
): { readonly notified: NotifiedThresholds; readonly alerts: readonly QuotaAlert[] } {
  if (limit === UNLIMITED) return { notified: NOTHING_NOTIFIED, alerts: [] };
  // Percentages are rounded down to a tenth: 79.99 is not 80, and 75 is not below 75.
  const percentage = percentageOf(usage, limit)!;
  // Nothing has been notified for a different limit.
  let bits = notified.limit === limit ? notified.bits : 0;
  const alerts: QuotaAlert[] = [];
  for (const { type, at, again, bit } of THRESHOLDS) {
    if (percentage < again) bits &= ~bit;
    if (!rises || percentage < at || (bits & bit) !== 0) continue;
    bits |= bit;
    alerts.push({ type, measure, limit, usage, percentage });
  }
  return { notified: bits === 0 ? NOTHING_NOTIFIED : { bits, limit }, alerts };
}

/** Whether usage is a larger share of the new limit than of the one before. */
export function isTighter(limit: number, before: number): boolean {
  return limit !== UNLIMITED && (before === UNLIMITED || limit < before);
}

/** The measures of a zone. */
export const ZONE_MEASURES = [
  'zone_recordsets',
  'zone_records',
  'max_zone_size',
] as const satisfies readonly Measure[];
type ZoneMeasure = (typeof ZONE_MEASURES)[number];

interface Sizes {
  readonly recordsets: number;
  readonly records: number;
  readonly bytes: number;
}

const SIZE_OF = { zone_recordsets: 'recordsets', zone_records: 'records', max_zone_size: 'bytes' } as const;

type NotifiedByMeasure = Partial<Readonly<Record<ZoneMeasure, NotifiedThresholds>>>;

/** Comma-separated `measure bits limit`; '' for none. */
function parseNotified(text: string): NotifiedByMeasure {
  if (text === '') return {};
  const entries = text.split(',').map((one) => one.split(' '));
  return Object.fromEntries(
    entries.map(([key, bits, limit]) => [key, { bits: Number(bits), limit: Number(limit) }]),
  );
}

function formatNotified(notified: NotifiedByMeasure): string {
  const kept = MEASURES.filter((key): key is ZoneMeasure => key !== 'zones').filter(
    (key) => notified[key]?.bits,
  );
  return kept.map((key) => `${key} ${notified[key]!.bits} ${notified[key]!.limit}`).join(',');
}

/** A zone whose contents or limits changed. */
export interface ZoneUse {
  /** Its notified thresholds, as text; '' for none. */
  readonly notified: string;
  readonly now: Sizes;
  /** Undefined if unknown; then no size of the zone has grown. */
  readonly limits: Partial<Pick<MeasuredLimits, ZoneMeasure>>;
  rises(measure: ZoneMeasure, size: keyof Sizes): boolean;
}

/** Like `quotaAlert`, for a zone. */
export function quotaAlertsOfZone({ notified: text, now, limits, rises }: ZoneUse): {
  readonly notified: string;
  readonly alerts: readonly QuotaAlert[];
} {
  const notified: Partial<Record<ZoneMeasure, NotifiedThresholds>> = { ...parseNotified(text) };
  const alerts: QuotaAlert[] = [];
  for (const measure of ZONE_MEASURES) {
    const size = SIZE_OF[measure];
    const use = { measure, usage: now[size], limit: limits[measure], rises: rises(measure, size) };
    const next = quotaAlert(notified[measure] ?? NOTHING_NOTIFIED, use);
    notified[measure] = next.notified;
    alerts.push(...next.alerts);
  }
  return { notified: formatNotified(notified), alerts };
}
