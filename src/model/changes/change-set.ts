/** Changes of several recordsets of one zone, which are made together or not at all. */
import type { OwnerName } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { ErrorKind } from '../errors.ts';
import type { GuardrailName, GuardrailWarning } from '../guardrails/guardrail.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { Zone } from '../zones/zone.ts';

export const SET_ACTIONS = ['create', 'replace', 'upsert', 'delete', 'add', 'remove'] as const;
export type SetAction = (typeof SET_ACTIONS)[number];

/** One change of a set, with its records as sent. Which members it has depends on the action. */
export interface RequestedChange {
  readonly action: SetAction;
  readonly name: OwnerName;
  /** Undefined only for a `delete`: every recordset of the name but managed ones. */
  readonly type?: StoredType | undefined;
  readonly ttl?: number | null | undefined;
  readonly records?: readonly string[] | undefined;
  readonly description?: string | null | undefined;
}

/** Properties of a zone that change with its recordsets. */
export type ChangedProperties = Pick<Zone, 'ttl'>;

/** Conditions and options that every way of changing several recordsets has. */
export interface ChangeOptions {
  /** True to decide everything and change nothing. */
  readonly dryRun: boolean;
  /** The serial that the zone must have. */
  readonly ifSerial?: number | undefined;
  /** The digest of a former dry run, whose effects alone may be made. */
  readonly plan?: string | undefined;
  /** Maximum number of recordsets that may be deleted. */
  readonly maxDeletions?: number | undefined;
  /** Guardrails whose refusal is to pass. */
  readonly overrides?: readonly GuardrailName[] | undefined;
  readonly description?: string | null | undefined;
}

export type EffectKind = 'create' | 'update' | 'delete' | 'unchanged';

/** Why one change, or the whole set, cannot be made. */
export interface ChangeRefusal {
  readonly kind: ErrorKind;
  readonly message: string;
}

/** What a change makes of a recordset, as clients see it. */
export interface RecordsetState {
  /** In seconds; null for the zone's TTL. */
  readonly ttl: number | null;
  /** As sent. */
  readonly records: readonly string[];
  readonly description: string | null;
}

/** One recordset that a set names, before and after the set. */
export interface Effect {
  readonly effect: EffectKind;
  readonly name: OwnerName;
  /** Null if every recordset of the name was to be deleted, and there is none. */
  readonly type: StoredType | null;
  /** Null for a recordset that does not exist. */
  readonly recordsetId: string | null;
  /** Where its changes stand in the request. */
  readonly positions: readonly number[];
  readonly before: RecordsetState | null;
  readonly after: RecordsetState | null;
  readonly refusal: ChangeRefusal | null;
  readonly warnings: readonly GuardrailWarning[];
}

export type EffectSummary = Readonly<Record<EffectKind, number>>;

/** How much of a limit a zone uses before and after a set. */
export interface UsageChange {
  readonly before: number;
  readonly after: number;
  /** -1 for no limit. */
  readonly limit: number;
}

/** What a set does, or would do. */
export interface ChangeOutcome {
  readonly zoneId: string;
  /** Null if nothing was changed. */
  readonly changeId: string | null;
  readonly status: 'PLANNED' | 'REFUSED' | 'UNCHANGED' | 'PENDING';
  /** The digest of the effects; null if a refusal leaves them undecided. */
  readonly plan: string | null;
  readonly fromSerial: number;
  /** Null for a dry run: the step depends on the clock. */
  readonly toSerial: number | null;
  readonly summary: EffectSummary;
  /** Sorted in name-tree order, then by type: the first thousand. */
  readonly effects: readonly Effect[];
  /** Number of further effects. */
  readonly omitted: number;
  /** Concerns the whole set. */
  readonly refusal: ChangeRefusal | null;
  /** Concern the whole set. */
  readonly warnings: readonly GuardrailWarning[];
  /** Undefined for a caller who must not know it. */
  readonly usage: Readonly<Record<'zone_recordsets' | 'zone_records', UsageChange>> | undefined;
}

/** A recordset as clients see it. */
export function stateOf({ ttl, records, spellings, description }: Recordset): RecordsetState {
  return { ttl, records: records.map((text) => spellings[text] ?? text), description };
}
