/** Zones that were deleted, and are kept for a while so that they can be restored. */
import type { ListQuery } from '../lists.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { Totals } from '../zones/totals.ts';
import type { Zone } from '../zones/zone.ts';

export interface DeletedZone extends Pick<Zone, 'id' | 'name' | 'projectId' | 'type' | 'serial'> {
  /** Number of recordsets it had, without those that the service manages. */
  readonly recordsets: number;
  readonly deletedAt: string;
}

/** The recordsets of a new zone that the service manages. */
export interface FormerApex {
  readonly soa: Recordset;
  readonly ns: Recordset;
}

/** What a zone was when it was deleted, without its recordsets. */
export type DeletedZoneState = Pick<
  Zone,
  | 'email'
  | 'ttl'
  | 'soa'
  | 'description'
  | 'attributes'
  | 'masters'
  | 'guardrails'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
  | 'transferredAt'
> & {
  readonly poolId: string;
  /** Undefined for a secondary zone, whose masters have it. */
  readonly apex?: FormerApex | undefined;
};

/** A deleted zone with what a restore needs. */
export interface KeptDeletedZone extends DeletedZone {
  /** Identifies what is stored of its recordsets: they outlive the entry until they are removed in slices. */
  readonly contentsId: string;
  /** What its stored recordsets add to a zone, and the number of records of the largest one. */
  readonly totals: Totals;
  readonly largest: number;
  readonly former: DeletedZoneState;
}

export const DELETED_ZONE_SORT_KEYS = ['deleted_at', 'id', 'name'] as const;
export const DELETED_ZONE_FILTERS = ['name', 'type'] as const;
export type DeletedZoneQuery = ListQuery<
  (typeof DELETED_ZONE_SORT_KEYS)[number],
  (typeof DELETED_ZONE_FILTERS)[number]
>;
