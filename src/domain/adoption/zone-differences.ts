/** How a zone of the store differs from what the source has. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { isLaterSerial } from '../../dns/serial.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { formatMaster } from '../../model/secondaries/master-address.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { SourceShare, SourceZone } from './source.ts';
import type { WantedSecondary } from './wanted-secondary.ts';
import { keyOf, type WantedRecordset, type WantedZone } from './wanted-zone.ts';

/** A zone as it is here. */
export interface PresentZone {
  readonly zone: Zone;
  /** In any order. */
  readonly recordsets: readonly Recordset[];
  /** The projects that it is shared with. */
  readonly guests: readonly string[];
}

/** What of one recordset differs. */
export type RecordsetDifference =
  | { readonly kind: 'missing'; readonly wanted: WantedRecordset }
  | { readonly kind: 'changed'; readonly wanted: WantedRecordset; readonly present: Recordset }
  | { readonly kind: 'only here'; readonly present: Recordset };

export interface ZoneDifferences {
  /** The properties of the zone, in the words of the API. */
  readonly fields: readonly string[];
  readonly recordsets: readonly RecordsetDifference[];
}

/** The fields that an update can bring here. */
export const CHANGEABLE: ReadonlySet<string> = new Set([
  'email',
  'ttl',
  'soa',
  'description',
  'serial',
  'masters',
  'shares',
]);
/** Where one of them differs, it is another zone: its contents are none of this one. */
const IDENTITY: ReadonlySet<string> = new Set(['name', 'type']);

const MOST_TOLD = 10;

/** Records are a set: their order is no DNS data. */
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

/** What zones of both types have. */
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
    // A source that knows no shares says nothing about those that were made here.
    ['shares', targets, wanted.mayBeShared ? guests.toSorted() : targets],
  ];
}

function differing(pairs: Pairs): string[] {
  return pairs.filter(([, one, other]) => !isDeepStrictEqual(one, other)).map(([field]) => field);
}

function fieldsOf({ zone: wanted, shares }: WantedZone, soa: Zone['soa'], present: PresentZone): string[] {
  const { zone } = present;
  const fields = differing([
    ...pairsOf(wanted, shares, present),
    ['email', wanted.email, zone.email],
    ['ttl', wanted.ttl, zone.ttl],
    ['soa', soa, zone.soa],
  ]);
  return isLaterSerial(wanted.serial, zone.serial) ? [...fields, 'serial'] : fields;
}

/** Contents are not compared: they are what the masters have now. */
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

/** Whether it is another zone under the same id, which no update brings to what the source has. */
export function isAnother({ fields }: ZoneDifferences): boolean {
  return fields.some((field) => IDENTITY.has(field));
}

/** @param soa the timers that the zone is to have of its own */
export function differencesOf(wanted: WantedZone, soa: Zone['soa'], present: PresentZone): ZoneDifferences {
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

/** The differences in a sentence: the first ones, and how many more there are. */
export function describeDifferences({ fields, recordsets }: ZoneDifferences): string {
  const told = [
    ...fields.map((field) => `${field} differs`),
    ...recordsets.map((one) => `${keyOf('wanted' in one ? one.wanted : one.present)} ${VERBS[one.kind]}`),
  ];
  const rest = told.length - MOST_TOLD;
  return [...told.slice(0, MOST_TOLD), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

const VERBS = { missing: 'is missing here', changed: 'differs', 'only here': 'is only here' } as const;
