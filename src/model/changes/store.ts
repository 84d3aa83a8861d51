import type { OwnerName } from '../../dns/names.ts';
import type { Scope } from '../access/scope.ts';
import type { GuardrailReads } from '../guardrails/store.ts';
import type { ProjectState } from '../quotas/quota.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { RecordsetPages } from '../recordsets/store.ts';
import type { ShareScope } from '../scopes/share-scope.ts';
import type { Zone } from '../zones/zone.ts';

/** Where a recordset is stored. */
export type StoredPlace = Pick<Recordset, 'id' | 'name' | 'type'>;

/** Projects that a zone is shared with, by their ids, and what each share narrows. */
export type Sharees = ReadonlyMap<string, ShareScope>;

/** The reads that decide a set of changes: in the transaction that makes it, or in one snapshot. */
export interface PlanningReads extends RecordsetPages {
  readonly guardrails: GuardrailReads;
  zone(id: string, scope: Scope): Promise<Zone | undefined>;
  projectState(projectId: string): Promise<ProjectState>;
  /** All recordsets at any of the names. */
  atNames(zoneId: string, names: readonly OwnerName[]): Promise<readonly Recordset[]>;
  /** Recordsets of the zone that have expired and are not protected, oldest first. */
  expiredIn(zoneId: string, now: string, limit: number): Promise<readonly Recordset[]>;
  /** Those of the projects that the zone is shared with. */
  shareesAmong(zoneId: string, projectIds: readonly string[]): Promise<Sharees>;
  /** The names that a zone has. */
  zonesAmong(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** The next recordsets at and below a name, after the given one or from the start, in name-tree order, then by type. */
  atOrBelow(
    zone: Pick<Zone, 'id'>,
    name: OwnerName,
    limit: number,
    after?: StoredPlace,
  ): Promise<readonly StoredPlace[]>;
  /** The hosts that a delegation of the zone names, apart from those with the given ids. */
  delegatedHosts(
    zone: Zone,
    hosts: readonly string[],
    withoutIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
}

export interface PlanningSnapshots {
  /** Decides a set on one snapshot of the store. */
  atOneState<T>(work: (reads: PlanningReads) => Promise<T>): Promise<T>;
}
