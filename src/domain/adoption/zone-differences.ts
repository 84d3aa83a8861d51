/** How a zone of the store differs from what the source has. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { isLaterSerial } from '../../dns/serial.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { Zone } from '../zones/zone.ts';
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

/** The fields that an update can bring here; shares that are only here stay, as the next comparison tells. */
export const CHANGEABLE: ReadonlySet<string> = new Set(['email', 'ttl', 'description', 'serial', 'shares']);

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

function fieldsOf({ zone: wanted, shares }: WantedZone, { zone, guests }: PresentZone): string[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['name', wanted.name, zone.name],
    ['project_id', wanted.projectId, zone.projectId],
    ['pool_id', wanted.poolId, zone.pool.id],
    ['email', wanted.email, zone.email],
    ['ttl', wanted.ttl, zone.ttl],
    ['description', wanted.description, zone.description],
    ['attributes', wanted.attributes, zone.attributes],
    ['created_at', wanted.createdAt, zone.createdAt],
    ['shares', shares.map(({ targetProjectId }) => targetProjectId).sort(), guests.toSorted()],
  ];
  const fields = pairs.filter(([, one, other]) => !isDeepStrictEqual(one, other)).map(([field]) => field);
  return isLaterSerial(wanted.serial, zone.serial) ? [...fields, 'serial'] : fields;
}

export function differencesOf(wanted: WantedZone, present: PresentZone): ZoneDifferences {
  const here = new Map(present.recordsets.filter(({ managed }) => !managed).map((one) => [keyOf(one), one]));
  const recordsets: RecordsetDifference[] = [];
  for (const one of wanted.recordsets) {
    const found = here.get(keyOf(one));
    here.delete(keyOf(one));
    if (found === undefined) recordsets.push({ kind: 'missing', wanted: one });
    else if (!isSame(one, found)) recordsets.push({ kind: 'changed', wanted: one, present: found });
  }
  for (const one of here.values()) recordsets.push({ kind: 'only here', present: one });
  return { fields: fieldsOf(wanted, present), recordsets };
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
