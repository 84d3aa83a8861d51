import type { OwnerName } from '../../dns/names.ts';
import type { ReadLimits, Scope } from '../access/scope.ts';
import type { Lists, Page } from '../lists.ts';
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

/** A recordset that the service has to delete. */
export interface ExpiredRecordset {
  readonly id: string;
  readonly zoneId: string;
  readonly expiresAt: string;
}

/** A zone within a scope. */
interface SeenZone {
  readonly zoneId: string;
  readonly scope: Scope;
  /** Called with the project of the zone before its recordsets are listed. Throws if the caller may not see them. */
  admit(ownerProjectId: string): void;
}

/** The recordsets of one zone; only those that every one of the limits allows. */
export interface RecordsetsOfZone {
  readonly zoneId: string;
  readonly within?: readonly ReadLimits[] | undefined;
}

/** Lists and counts include managed recordsets. */
export interface RecordsetReads
  extends RecordsetPages,
    Lists<ListedRecordset, RecordsetQuery, Scope | RecordsetsOfZone> {
  find(zoneId: string, id: string): Promise<ListedRecordset | undefined>;
  /**
   * Lists the recordsets of a zone, with the zones that hide them.
   * @param onBehalfOf as for `list`
   * @param projectId as for `withHiders`
   * @throws DomainError `zone_not_found`, and what `list` and `admit` throw
   */
  listOfZone(
    query: RecordsetQuery,
    zone: SeenZone,
    onBehalfOf: string,
    projectId: string,
  ): Promise<Page<ListedRecordset>>;
  /**
   * Adds the zones that hide the recordsets.
   * @param projectId the project on whose behalf this is read
   */
  withHiders(recordsets: readonly ListedRecordset[], projectId: string): Promise<readonly ListedRecordset[]>;
  zoneOf(id: string, scope: Scope): Promise<string | undefined>;
  /** Some that have expired, in the order of that, after the given one. Protected ones are left out. */
  expired(now: string, after: ExpiredRecordset | undefined): Promise<readonly ExpiredRecordset[]>;
  /** Whether the zone has a protected recordset. */
  hasProtected(zoneId: string): Promise<boolean>;
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
  /** A protected recordset of the zone, if it has any. */
  findProtected(zoneId: string): Promise<Pick<Recordset, 'name' | 'type' | 'protection'> | undefined>;
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
  /** @param before the recordset as stored */
  update(recordset: Recordset, serial: number, before: Recordset): void;
  remove(recordsets: readonly [Recordset, ...Recordset[]]): void;
  /** Waits until what was written so far has been executed, so that a large change does not pile up statements. */
  catchUp(): Promise<void>;
  /** Removes all recordsets of a zone in batches, yielding between them. */
  removeAll(zoneId: string): Promise<void>;
  /** Like `removeAll`, and yields each batch that it has removed. */
  takeAll(zoneId: string): AsyncIterable<readonly Recordset[]>;
  /** Number of records in the largest recordset of a zone, excluding managed ones. */
  maxRecords(zoneId: string): Promise<number>;
  /** Reassigns a project's recordsets in a zone to another project, in batches, yielding between them. */
  moveTo(zoneId: string, from: string, to: string): Promise<void>;
}
