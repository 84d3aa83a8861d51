/** The journal of zone changes as read by verification. */
import type { PastChange } from '../history/past-change.ts';
import type { Page } from '../lists.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { Zone } from '../zones/zone.ts';

/** What the journal has of a zone. */
export interface StoredHistory {
  readonly zoneId: string;
  /** Undefined if there is no such zone. */
  readonly zone: Pick<Zone, 'name' | 'version' | 'serial' | 'ttl' | 'email' | 'projectId'> | undefined;
  /** True if the zone is gone: it is kept as a deleted zone, or its changes wait for their removal. */
  readonly isDeleted: boolean;
  /** Number of recordsets that its changes touched, each counted once for each change. */
  readonly effects: number;
}

export interface StoredChange {
  /** Its actor and the properties of the zone are empty if they cannot be read. */
  readonly change: PastChange;
  readonly readable: boolean;
  readonly effects: string | null;
  readonly size: number;
  /** The size of its texts. */
  readonly counted: number;
}

/** What the changes of a zone or project take, as counted by the upkeep. */
export interface StoredHistorySize {
  /** The kind and the id. */
  readonly id: string;
  readonly bytes: number;
  readonly counted: number;
}

/** A recordset as clients see it; its records are empty if they cannot be read. */
export type StoredState = Pick<
  Recordset,
  'id' | 'name' | 'type' | 'ttl' | 'records' | 'spellings' | 'description'
>;

export interface HistoryVerificationReads {
  /** Ordered by zone. */
  histories(after: StoredHistory | undefined): Promise<readonly StoredHistory[]>;
  /** The changes of a zone, newest first. */
  changesOf(zoneId: string, below: string | undefined): Promise<Page<StoredChange>>;
  /** The recordsets of a zone at some names. */
  statesAt(zoneId: string, names: readonly Recordset['name'][]): Promise<readonly StoredState[]>;
  historySizes(after: StoredHistorySize | undefined): Promise<readonly StoredHistorySize[]>;
}
