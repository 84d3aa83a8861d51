import type { OwnerName } from '../../dns/names.ts';
import type { Scope } from '../access/scope.ts';
import type { Lists } from '../lists.ts';
import type { Zone } from '../zones/zone.ts';
import type { ListedRecordset, Recordset, RecordsetQuery } from './recordset.ts';
import type { Placed, Surroundings } from './recordset-location.ts';

export interface RecordsetPages {
  /** The recordsets of a zone after the given one, or from the first: in name-tree order, then by type. */
  inTreeOrder(
    zone: Pick<Zone, 'id' | 'projectId'>,
    after?: Pick<Recordset, 'name' | 'type'>,
  ): Promise<readonly Recordset[]>;
}

/** Lists and counts include the managed recordsets. */
export interface RecordsetReads
  extends RecordsetPages,
    Lists<ListedRecordset, RecordsetQuery, Scope | { readonly zoneId: string }> {
  find(zoneId: string, id: string): Promise<ListedRecordset | undefined>;
  /**
   * The recordsets with the zones that hide them.
   * @param projectId whose turns it takes
   */
  withHiders(recordsets: readonly ListedRecordset[], projectId: string): Promise<readonly ListedRecordset[]>;
  zoneOf(id: string, scope: Scope): Promise<string | undefined>;
  /** Whether a zone has a recordset at the name. */
  isInUse(zoneId: string, name: OwnerName): Promise<boolean>;
}

/** The SOA and the NS of a zone, and the serial that it has with them. */
export interface Apex {
  readonly recordsets: readonly [Recordset, Recordset];
  readonly serial: number;
}

export interface RecordsetWrites extends RecordsetPages {
  find(zoneId: string, id: string): Promise<Recordset | undefined>;
  /** The same, as clients see it. */
  findListed(zoneId: string, id: string): Promise<ListedRecordset | undefined>;
  /** Every recordset at one of the names. */
  atNames(zoneId: string, names: readonly OwnerName[]): Promise<readonly Recordset[]>;
  /** The NS recordset that is managed. */
  apexNs(zone: Pick<Zone, 'id' | 'name'>): Promise<Recordset | undefined>;
  surroundings(zone: Zone, placed: Placed): Promise<Surroundings>;
  /**
   * Says how much the transaction is about to write. May end the work by an error that it lets through: then the
   * transaction begins anew where a large one holds up nobody.
   */
  expect(amount: { readonly recordsets: number; readonly bytes: number }): void;
  /**
   * False, and nothing stored, when one of the names has a recordset of the type already.
   * @param serial the serial of the zone with them, by which their status follows from what is published
   */
  insert(recordsets: readonly Recordset[], serial: number): Promise<boolean>;
  /** Stores the first recordsets of new zones. */
  insertApex(...apexes: readonly Apex[]): void;
  update(recordset: Recordset, serial: number): void;
  remove(id: string): void;
  /** Removes all recordsets of a zone in batches, and yields between them. */
  removeAll(zoneId: string): Promise<void>;
  /** The number of records of the largest recordset of a zone, without the managed ones. */
  mostRecords(zoneId: string): Promise<number>;
  /** Moves the recordsets of a zone that are of one project to another in batches, and yields between them. */
  moveTo(zoneId: string, from: string, to: string): Promise<void>;
}
