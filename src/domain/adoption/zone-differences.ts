/** Compares a stored zone with the source. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { isLaterSerial } from '../../dns/serial.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { formatMaster } from '../../model/secondaries/master-address.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { SourceShare, SourceZone } from './source.ts';
import { keyOf, type SourceZoneState, type WantedRecordset } from './source-zone-state.ts';
import type { WantedSecondary } from './wanted-secondary.ts';

/** A zone as stored here. */
export interface PresentZone {
  readonly zone: Zone;
  /** In any order. */
  readonly recordsets: readonly Recordset[];
  /** The projects that it is shared with. */
  readonly guests: readonly string[];
}

/** The difference of one recordset. */
export type RecordsetDifference =
  | { readonly kind: 'missing'; readonly wanted: WantedRecordset }
  | { readonly kind: 'changed'; readonly wanted: WantedRecordset; readonly present: Recordset }
  | { readonly kind: 'only here'; readonly present: Recordset };

export interface ZoneDifferences {
  /** The differing properties of the zone, named as in the API. */
  readonly fields: readonly string[];
  readonly recordsets: readonly RecordsetDifference[];
}

/** The fields that an update can change. */
export const CHANGEABLE: ReadonlySet<string> = new Set([
  'email',
  'ttl',
  'soa',
  'description',
  'serial',
  'masters',
  'shares',
]);
/** If one of these differs, it is another zone with other contents. */
const IDENTITY: ReadonlySet<string> = new Set(['name', 'type']);

const MAX_LISTED = 10;

/** The order of records is not significant in DNS. */
function essenceOf({ ttl, records, description }: Pick<Recordset, 'ttl' | 'records' | 'description'>) {
  return [ttl, records.toSorted(), description];
}

function isSame(wanted: WantedRecordset, present: Recordset): boolean {
  const description = wanted.description ?? null;
  const essence = essenceOf({ ttl: wanted.ttl ?? null, records: wanted.records, description });
  const isOwn = wanted.id === present.id && wanted.projectId === present.projectId;
  return isOwn && isDeepStrictEqual(essence, essenceOf(present));
}

type Pairs = readonly (readonly [field: string, wanted: unknown, present: unknown])[];

/** The properties common to both types of zones. */
function pairsOf(
  wanted: SourceZone,
  shares: readonly SourceShare[],
  { zone, guests }: Pick<PresentZone, 'zone' | 'guests'>,
): Pairs {
  const targets = shares.map(({ targetProjectId }) => targetProjectId).sort();
  return [
    ['name', wanted.name, zone.name],
    ['type', wanted.type, zone.type],
    ['project_id', wanted.projectId, zone.projectId],
    ['pool_id', wanted.poolId, zone.pool.id],
    ['description', wanted.description, zone.description],
    ['attributes', wanted.attributes, zone.attributes],
    ['created_at', wanted.createdAt, zone.createdAt],
    // Shares made here are not compared if the source does not support shares.
    ['shares', targets, wanted.mayBeShared ? guests.toSorted() : targets],
  ];
}

function differing(pairs: Pairs): string[] {
  return pairs.filter(([, one, other]) => !isDeepStrictEqual(one, other)).map(([field]) => field);
}

function fieldsOf(
  { zone: wanted, shares }: SourceZoneState,
  soa: Zone['soa'],
  present: PresentZone,
): string[] {
  const { zone } = present;
  const fields = differing([
    ...pairsOf(wanted, shares, present),
    ['email', wanted.email, zone.email],
    ['ttl', wanted.ttl, zone.ttl],
    ['soa', soa, zone.soa],
  ]);
  return isLaterSerial(wanted.serial, zone.serial) ? [...fields, 'serial'] : fields;
}

/** Compares secondary zones. Contents are not compared, since they come from the masters. */
export function secondaryDifferences(
  { zone: wanted, shares, masters }: WantedSecondary,
  present: Pick<PresentZone, 'zone' | 'guests'>,
): ZoneDifferences {
  const mastersHere = present.zone.masters.map(formatMaster).sort();
  const fields = differing([
    ...pairsOf(wanted, shares, present),
    ['masters', masters.map(formatMaster).sort(), mastersHere],
  ]);
  return { fields, recordsets: [] };
}

/** True if it is another zone with the same id, which an update cannot make match the source. */
export function isAnother({ fields }: ZoneDifferences): boolean {
  return fields.some((field) => IDENTITY.has(field));
}

/** @param soa the timers that the zone should have of its own */
export function differencesOf(
  wanted: SourceZoneState,
  soa: Zone['soa'],
  present: PresentZone,
): ZoneDifferences {
  const fields = fieldsOf(wanted, soa, present);
  if (isAnother({ fields, recordsets: [] })) return { fields, recordsets: [] };
  const here = new Map(present.recordsets.filter(({ managed }) => !managed).map((one) => [keyOf(one), one]));
  const recordsets: RecordsetDifference[] = [];
  for (const one of wanted.recordsets) {
    const found = here.get(keyOf(one));
    here.delete(keyOf(one));
    if (found === undefined) recordsets.push({ kind: 'missing', wanted: one });
    else if (!isSame(one, found)) recordsets.push({ kind: 'changed', wanted: one, present: found });
  }
  for (const one of here.values()) recordsets.push({ kind: 'only here', present: one });
  return { fields, recordsets };
}

export function isEqual({ fields, recordsets }: ZoneDifferences): boolean {
  return fields.length === 0 && recordsets.length === 0;
}

/** Describes the first differences, and counts the rest. */
export function describeDifferences({ fields, recordsets }: ZoneDifferences): string {
  const listed = [
    ...fields.map((field) => `${field} differs`),
    ...recordsets.map((one) => `${keyOf('wanted' in one ? one.wanted : one.present)} ${VERBS[one.kind]}`),
  ];
  const rest = listed.length - MAX_LISTED;
  return [...listed.slice(0, MAX_LISTED), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

const VERBS = { missing: 'is missing here', changed: 'differs', 'only here': 'is only here' } as const;
