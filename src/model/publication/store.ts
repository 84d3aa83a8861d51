import type { Fqdn } from '../../dns/names.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { Zone } from '../zones/zone.ts';
import type {
  Catalog,
  CatalogMember,
  ClaimedOrder,
  FormerZone,
  JournalEntry,
  Order,
  OrdersOfZone,
  Outcome,
  ServedZone,
} from './publication.ts';

/** One committed state of the store, for one transfer. */
export interface TransferReads {
  served(name: Fqdn): Promise<ServedZone | undefined>;
  /** The next recordsets of the zone after the given one: in name-tree order, then by type; none after the last. */
  recordsets(zoneId: string, after?: Pick<Recordset, 'name' | 'type'>): Promise<readonly Recordset[]>;
  /** The changes from a serial to the zone's present one, without a gap; undefined if the journal does not hold them. */
  journal(zone: ServedZone, fromSerial: number): Promise<readonly JournalEntry[] | undefined>;
  /** The catalog with this name, if a pool has it. */
  catalog(name: Fqdn): Promise<Catalog | undefined>;
  /** The next members at the catalog's serial after the given label; none after the last. */
  members(catalog: Catalog, after: string): Promise<readonly CatalogMember[]>;
  /** Whether the members that left since the serial are still known. */
  knowsSince(catalog: Catalog, fromSerial: number): Promise<boolean>;
  /** The next members that left, or that joined, since the serial, after the given label; none after the last. */
  left(catalog: Catalog, fromSerial: number, after: string): Promise<readonly CatalogMember[]>;
  joined(catalog: Catalog, fromSerial: number, after: string): Promise<readonly CatalogMember[]>;
}

export interface PublicationReads {
  /** The zone that the hidden primary answers for. */
  served(name: Fqdn): Promise<ServedZone | undefined>;
  catalog(name: Fqdn): Promise<Catalog | undefined>;
  find(orderId: string): Promise<Order | undefined>;
  /** The orders of all zones of a pool after a zone's id, for the sweep. */
  page(poolId: string, after: string, limit: number): Promise<readonly Order[]>;
  /** Names whose zones are gone since the given time, after a name. */
  formerZones(since: string, after: string, limit: number): Promise<readonly FormerZone[]>;
  /** The serials of a zone that a server has completed a transfer of, newest first. */
  transferred(zoneId: string): Promise<readonly { readonly server: string; readonly serial: number }[]>;
  /** How many orders are pending, and since when the oldest. */
  pending(): Promise<{ readonly orders: number; readonly since: string }>;
  /**
   * Runs reads of one committed state of the store, on connections of their own.
   * @throws what the work throws, and `storage_unavailable`
   */
  atOneState<T>(work: (reads: TransferReads) => Promise<T>): Promise<T>;
}

/** How much the journal keeps of each zone. */
export interface JournalBounds {
  readonly changes: number;
  readonly bytes: number;
}

/** The steps of moving a zone to another pool. */
export interface PoolMoveWrites {
  ordersOf(zoneId: string): Promise<OrdersOfZone>;
  /** Orders the zone for the servers of another pool, while those of its pool keep it. */
  moveBeside(zone: Zone, poolId: string, now: string): void;
  /** Orders its removal from its pool, before it comes to another one. */
  moveAfter(zone: Zone, poolId: string, now: string): void;
  /** Changes the pool that a zone comes to after its removal from its own. */
  aim(zoneId: string, poolId: string): void;
  /** The next step of the move waits until the servers have the zone as it is now. */
  awaitSerial(zone: Zone): void;
  /** Orders the zone for the servers of its pool as if they had never had it; ends its orders if there are none. */
  place(zone: Zone, now: string): void;
  /** Makes the order for the former pool that of the zone again, and orders its removal from the other. */
  takeBack(zone: Zone, now: string): void;
  /** Orders the removal of the zone from the pool that it leaves. */
  removeFormer(zoneId: string, now: string): void;
  /** Only the removal from the pool that the zone leaves is waited for any more. */
  promoteFormer(zoneId: string, now: string): void;
  /** The zone is where it was to come. */
  endMove(zoneId: string, now: string): void;
}

/** What one stretch of the reconciliation of orders with pools has done. */
export interface Reconciled {
  readonly changed: number;
  /** Orders that no server has to be asked for: what comes next can be done. */
  readonly gone: readonly string[];
  readonly isMore: boolean;
}

export interface PublicationWrites extends PoolMoveWrites {
  /** The rdata of the SOA as it is stored. */
  soaOf(zone: Zone): Promise<string | undefined>;
  /** Orders the first publication of new zones. */
  enroll(...zones: readonly Zone[]): void;
  /**
   * Orders the publication of a changed zone that has an order, in every pool that it is in, and keeps the change for IXFR.
   * @param entry undefined where the difference would be larger than the zone, or is not known
   */
  order(zone: Zone, entry: JournalEntry | undefined, bounds: JournalBounds): void;
  /** Nothing that servers have of a zone counts as published any more: what is waited for is the zone as it is now. */
  forgetPublished(zone: Zone): void;
  /**
   * Gives a zone a new label in the catalogs of its pools, so that their servers fetch it afresh (RFC 9432 section 5.4).
   * What they keep for it is lost: signing keys, too.
   * @returns false if no catalog has the zone
   */
  relabel(zoneId: string, now: string): Promise<boolean>;
  /** Ends the publication of a zone that no server can know yet. False if one may. */
  forgetUnseen(zoneId: string): Promise<boolean>;
  /** Orders the removal of a zone from the servers. */
  orderRemoval(zoneId: string, now: string): void;
  /**
   * Ends the publication of a zone whatever the servers have, and keeps its name and serial for a while.
   * @param namesOfProject how many such names are kept for each project
   * @param stays whether the servers are to keep the zone: it stays a member of the catalog until its name is made again
   */
  forget(zone: Zone, goneAt: string, namesOfProject: number, stays: boolean): void;
  /** The last serials that gone zones of these names had. */
  formerSerials(names: readonly Fqdn[]): Promise<ReadonlyMap<Fqdn, number>>;

  /** Takes orders that are due, the longest due first; nobody else takes them until the given time. */
  claim(now: string, until: string, limit: number): Promise<readonly ClaimedOrder[]>;
  /** Writes what came of orders. The removals that are done are left to `forget`. */
  settle(outcomes: readonly Outcome[]): Promise<void>;
  /** Makes orders due, whatever their serial. */
  orderAnew(orderIds: readonly string[], now: string): void;
  /** Says why a zone cannot be published. */
  fail(zoneId: string, error: string): void;
  /**
   * Takes the next orders of pools that do not publish; when there are none, gives orders to the next zones of a pool that
   * publishes and has changed since its zones were last gone through.
   */
  reconcile(limit: number, now: string): Promise<Reconciled>;
  /** With its next step the catalog of a pool, if it has one, offers no differences, so that servers fetch it whole. */
  renewCatalog(poolId: string): Promise<void>;
  /** Takes zones in and out of the catalog of a pool: one step of its serial; undefined if nothing was waiting. */
  moveCatalog(poolId: string, seconds: number, limit: number): Promise<number | undefined>;
  /** Keeps that a server has completed the transfer of a serial. */
  transferCompleted(zoneId: string, server: string, serial: number, at: string): void;
  /**
   * Looks at the next former zones after a name, and forgets those that went before a time.
   * @returns the last name; undefined after the last of all
   */
  pruneFormer(before: string, after: string, limit: number): Promise<string | undefined>;
  /** Forgets the next members that left catalogs before a serial. @returns whether there may be more */
  pruneCatalogs(before: number, limit: number): Promise<boolean>;
}
