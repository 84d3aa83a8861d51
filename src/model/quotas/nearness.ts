/** When a project is told that it comes near a limit. Pure. */
import { MEASURES, type Measure, type MeasuredLimits, percentageOf } from './percentages.ts';
import { UNLIMITED } from './quota.ts';
import { type Told, UNTOLD } from './told.ts';

/** At which percentage an event tells of a limit, and below which it does so again. */
export const THRESHOLDS = [
  { type: 'quota.near', at: 80, again: 75, bit: 1 },
  { type: 'quota.reached', at: 100, again: 90, bit: 2 },
] as const;

type Threshold = (typeof THRESHOLDS)[number];

/** A threshold that a usage has passed upwards. */
export interface Approach {
  readonly type: Threshold['type'];
  readonly measure: Measure;
  readonly limit: number;
  readonly usage: number;
  readonly percentage: number;
}

/** What a change tells of limits: of the number of zones, and of the sizes of its zone. */
export interface Nearness {
  readonly ofProject: readonly Approach[];
  readonly ofZone: readonly Approach[];
  /** What its owner was told of the number of zones from then on; undefined where that stays. */
  readonly told?: Told;
}

/** A usage after a change. */
export interface Use {
  readonly measure: Measure;
  readonly usage: number;
  /** Undefined where the usage does not grow: it is the one that was told of. */
  readonly limit: number | undefined;
  /** Whether the share of the limit has become greater. */
  readonly rises: boolean;
}

/** What is told of a limit, and what was told of it from then on. */
export function approach(
  told: Told,
  { measure, usage, limit = told.limit, rises }: Use,
): { readonly told: Told; readonly approaches: readonly Approach[] } {
  if (limit === UNLIMITED) return { told: UNTOLD, approaches: [] };
  // Percentages are rounded down to a tenth: 79.99 is not 80, and 75 not below 75.
  const percentage = percentageOf(usage, limit)!;
  // Another limit has been told nothing of.
  let bits = told.limit === limit ? told.bits : 0;
  const approaches: Approach[] = [];
  for (const { type, at, again, bit } of THRESHOLDS) {
    if (percentage < again) bits &= ~bit;
    if (!rises || percentage < at || (bits & bit) !== 0) continue;
    bits |= bit;
    approaches.push({ type, measure, limit, usage, percentage });
  }
  return { told: bits === 0 ? UNTOLD : { bits, limit }, approaches };
}

/** Whether a limit makes a usage a greater share. */
export function isTighter(limit: number, before: number): boolean {
  return limit !== UNLIMITED && (before === UNLIMITED || limit < before);
}

/** What a zone is measured by. */
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

type ToldOfZone = Partial<Readonly<Record<ZoneMeasure, Told>>>;

/** `measure bits limit`, by a comma each; '' for nothing. */
function parseTold(text: string): ToldOfZone {
  if (text === '') return {};
  const entries = text.split(',').map((one) => one.split(' '));
  return Object.fromEntries(
    entries.map(([key, bits, limit]) => [key, { bits: Number(bits), limit: Number(limit) }]),
  );
}

function formatTold(told: ToldOfZone): string {
  const kept = MEASURES.filter((key): key is ZoneMeasure => key !== 'zones').filter((key) => told[key]?.bits);
  return kept.map((key) => `${key} ${told[key]!.bits} ${told[key]!.limit}`).join(',');
}

/** A zone that was changed, or whose limits were. */
export interface ZoneUse {
  /** What was told of it, as text; '' for nothing. */
  readonly told: string;
  readonly now: Sizes;
  /** Undefined where they are not known: then no size of it has grown. */
  readonly limits: Partial<Pick<MeasuredLimits, ZoneMeasure>>;
  rises(measure: ZoneMeasure, size: keyof Sizes): boolean;
}

/** The same for a zone. */
export function approachOfZone({ told: text, now, limits, rises }: ZoneUse): {
  readonly told: string;
  readonly approaches: readonly Approach[];
} {
  const told: Partial<Record<ZoneMeasure, Told>> = { ...parseTold(text) };
  const approaches: Approach[] = [];
  for (const measure of ZONE_MEASURES) {
    const size = SIZE_OF[measure];
    const use = { measure, usage: now[size], limit: limits[measure], rises: rises(measure, size) };
    const next = approach(told[measure] ?? UNTOLD, use);
    told[measure] = next.told;
    approaches.push(...next.approaches);
  }
  return { told: formatTold(told), approaches };
}
