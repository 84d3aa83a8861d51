import type { OwnerName } from '../../dns/names.ts';
import type { Scope } from '../access/scope.ts';
import type { Lists } from '../lists.ts';
import type { Zone } from '../zones/zone.ts';
import type { ListedRecordset, Recordset, RecordsetQuery } from './recordset.ts';
import type { LocatedRecordset, Surroundings } from './recordset-location.ts';

export interface RecordsetPages {
  /** The next recordsets of a zone, after the given one or from the start, in name-tree order, then by type. */
  inTreeOrder(
    zone: Pick<Zone, 'id' | 'projectId'>,
    after?: Pick<Recordset, 'name' | 'type'>,
  ): Promise<readonly Recordset[]>;
}

/** Lists and counts include managed recordsets. */
export interface RecordsetReads
  extends RecordsetPages,
    Lists<ListedRecordset, RecordsetQuery, Scope | { readonly zoneId: string }> {
  find(zoneId: string, id: string): Promise<ListedRecordset | undefined>;
  /**
   * Adds the zones that hide the recordsets.
   * @param projectId the project on whose behalf this is read
   */
  withHiders(recordsets: readonly ListedRecordset[], projectId: string): Promise<readonly ListedRecordset[]>;
  zoneOf(id: string, scope: Scope): Promise<string | undefined>;
  /** Whether the zone has a recordset at this name. */
  isInUse(zoneId: string, name: OwnerName): Promise<boolean>;
}

/** A zone's SOA and NS, and its serial with them. */
export interface Apex {
  readonly recordsets: readonly [Recordset, Recordset];
  readonly serial: number;
}

export interface RecordsetWrites extends RecordsetPages {
  find(zoneId: string, id: string): Promise<Recordset | undefined>;
  /** Like `find`, in the form that clients see. */
  findListed(zoneId: string, id: string): Promise<ListedRecordset | undefined>;
  /** All recordsets at any of the names. */
  atNames(zoneId: string, names: readonly OwnerName[]): Promise<readonly Recordset[]>;
  /** The managed NS recordset. */
  apexNs(zone: Pick<Zone, 'id' | 'name'>): Promise<Recordset | undefined>;
  surroundings(zone: Zone, placed: LocatedRecordset): Promise<Surroundings>;
  /**
   * Announces how much the transaction will write. It may throw an error, which must not be caught: the transaction
   * then restarts where large ones do not block others.
   */
  expect(amount: { readonly recordsets: number; readonly bytes: number }): void;
  /**
   * Returns false, with nothing stored, if one of the names already has a recordset of the type.
   * @param serial the zone's serial with the recordsets; their status compares it with the published serial
   */
  insert(recordsets: readonly Recordset[], serial: number): Promise<boolean>;
  /** Stores the first recordsets of new zones. */
  insertApex(...apexes: readonly Apex[]): void;
  update(recordset: Recordset, serial: number): void;
  remove(id: string): void;
  /** Removes all recordsets of a zone in batches, yielding between them. */
  removeAll(zoneId: string): Promise<void>;
  /** Number of records in the largest recordset of a zone, excluding managed ones. */
  maxRecords(zoneId: string): Promise<number>;
  /** Reassigns a project's recordsets in a zone to another project, in batches, yielding between them. */
  moveTo(zoneId: string, from: string, to: string): Promise<void>;
}
