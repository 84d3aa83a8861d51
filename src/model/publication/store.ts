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
  OrderOutcome,
  OrdersOfZone,
  ServedZone,
} from './publication.ts';

export interface PublicationSettings {
  /** Bounds on the stored changes of each zone. */
  readonly journal: JournalBounds;
  /** Number of names of deleted zones remembered per project. */
  readonly formerNames: number;
}

/** Reads of one committed state of the store, for one transfer. */
export interface ZoneTransferReads {
  served(name: Fqdn): Promise<ServedZone | undefined>;
  /** The next recordsets of the zone after the given one, in name-tree order, then by type; empty after the last. */
  recordsets(zoneId: string, after?: Pick<Recordset, 'name' | 'type'>): Promise<readonly Recordset[]>;
  /**
   * The changes from a serial to the zone's current one, without gaps; undefined if the journal does not have them all.
   */
  journal(zone: ServedZone, fromSerial: number): Promise<readonly JournalEntry[] | undefined>;
  /** The catalog with this name, if any pool has it. */
  catalog(name: Fqdn): Promise<Catalog | undefined>;
  /** The next members, at the catalog's serial, after the given label; empty after the last. */
  members(catalog: Catalog, after: string): Promise<readonly CatalogMember[]>;
  /** Whether the members that left since the serial are still known. */
  knowsSince(catalog: Catalog, fromSerial: number): Promise<boolean>;
  /** The next members that left, or joined, since the serial, after the given label; empty after the last. */
  left(catalog: Catalog, fromSerial: number, after: string): Promise<readonly CatalogMember[]>;
  joined(catalog: Catalog, fromSerial: number, after: string): Promise<readonly CatalogMember[]>;
}

export interface PublicationReads {
  /** The zone as served by the hidden primary. */
  served(name: Fqdn): Promise<ServedZone | undefined>;
  catalog(name: Fqdn): Promise<Catalog | undefined>;
  find(orderId: string): Promise<Order | undefined>;
  /** The orders of all zones of a pool after a zone id, for the sweep. */
  page(poolId: string, after: string, limit: number): Promise<readonly Order[]>;
  /** Names of zones that have gone since the given time, after a name. */
  formerZones(since: string, after: string, limit: number): Promise<readonly FormerZone[]>;
  /** The serials of a zone whose transfer to a server has completed, newest first. */
  transferred(zoneId: string): Promise<readonly { readonly server: string; readonly serial: number }[]>;
  /** Number of pending orders, and the time since which the oldest is pending. */
  pending(): Promise<{ readonly orders: number; readonly since: string }>;
  /**
   * Runs reads of one committed state of the store, on separate connections.
   * @throws what the work throws, and `storage_unavailable`
   */
  atOneState<T>(work: (reads: ZoneTransferReads) => Promise<T>): Promise<T>;
}

/** Limits on the journal of each zone. */
export interface JournalBounds {
  readonly changes: number;
  readonly bytes: number;
}

/** The steps of moving a zone to another pool. */
export interface PoolMoveWrites {
  ordersOf(zoneId: string): Promise<OrdersOfZone>;
  /** Orders the zone for the servers of another pool, while those of its own pool keep it. */
  moveBeside(zone: Zone, poolId: string, now: string): void;
  /** Orders the removal of the zone from its pool. It enters the other pool afterwards. */
  moveAfter(zone: Zone, poolId: string, now: string): void;
  /** Changes the target pool of a zone that is first removed from its own. */
  destination(zoneId: string, poolId: string): void;
  /** Makes the next step of the move wait until the servers have the zone's current serial. */
  awaitSerial(zone: Zone): void;
  /**
   * Orders the zone for the servers of its pool as if they had never had it. Ends its orders if the pool has no
   * servers.
   */
  place(zone: Zone, now: string): void;
  /**
   * Reverts a move: the order for the former pool becomes the zone's own again, and removal from the other pool is
   * ordered.
   */
  takeBack(zone: Zone, now: string): void;
  /** Orders the removal of the zone from the pool that it leaves. */
  removeFormer(zoneId: string, now: string): void;
  /**
   * Replaces the zone's own order with the removal from the pool that it leaves, so that only this is still awaited.
   */
  promoteFormer(zoneId: string, now: string): void;
  /** Ends the move: the zone has arrived. */
  endMove(zoneId: string, now: string): void;
}

/** The result of one batch of reconciling orders with pools. */
export interface Reconciled {
  readonly changed: number;
  /** Orders that need not wait for servers any more, so that their next step can run. */
  readonly gone: readonly string[];
  readonly isMore: boolean;
}

export interface PublicationWrites extends PoolMoveWrites {
  /** The SOA rdata as stored. */
  soaOf(zone: Zone): Promise<string | undefined>;
  /** Orders the first publication of new zones. */
  enroll(...zones: readonly Zone[]): void;
  /**
   * Orders the publication of a changed zone in every pool where it has an order.
   * @param bytes size of the difference for IXFR
   */
  order(zone: Zone, bytes: number): void;
  /** Stores the difference of a transfer of a secondary zone for IXFR. */
  keepDifference(zone: Zone, entry: JournalEntry, bounds: JournalBounds): void;
  /** Discards what is known of the serials on servers: the zone counts as published only at its current serial. */
  forgetPublished(zone: Zone): void;
  /**
   * Gives a zone a new label in the catalogs of its pools, so that their servers fetch it again (RFC 9432 section 5.4).
   * They lose what they store for it, including signing keys.
   * @returns false if no catalog has the zone
   */
  relabel(zoneId: string, now: string): Promise<boolean>;
  /** Ends the publication of a zone that no server can know yet. Returns false if one may know it. */
  forgetUnseen(zoneId: string): Promise<boolean>;
  /** Orders the removal of a zone from the servers. */
  orderRemoval(zoneId: string, now: string): void;
  /**
   * Ends the publication of a zone regardless of its servers, and keeps its name and serial for a while.
   * @param namesOfProject maximum number of such names kept per project
   * @param stays true to leave the zone on the servers: it stays in the catalog until its name is created again
   */
  forget(zone: Zone, goneAt: string, namesOfProject: number, stays: boolean): void;
  /** The last serials of deleted zones with these names. */
  formerSerials(names: readonly Fqdn[]): Promise<ReadonlyMap<Fqdn, number>>;

  /** Claims due orders, the longest due first. No one else claims them until the given time. */
  claim(now: string, until: string, limit: number): Promise<readonly ClaimedOrder[]>;
  /** Stores the results of orders. Completed removals are left to `forget`. */
  settle(outcomes: readonly OrderOutcome[]): Promise<void>;
  /** Makes orders due, whatever their serial. */
  orderAnew(orderIds: readonly string[], now: string): void;
  /** Records why a zone cannot be published. */
  fail(zoneId: string, error: string): void;
  /**
   * Ends the next orders of pools that do not publish. If there are none, creates orders for the next zones of a
   * publishing pool that has changed since its zones were last processed.
   */
  reconcile(limit: number, now: string): Promise<Reconciled>;
  /**
   * Makes the next serial of the pool's catalog, if it has one, offer no differences, so that servers fetch it whole.
   */
  renewCatalog(poolId: string): Promise<void>;
  /**
   * Adds zones to the pool's catalog and removes others, in one step of its serial. Returns the new serial, or
   * undefined if nothing was waiting.
   */
  moveCatalog(poolId: string, seconds: number, limit: number): Promise<number | undefined>;
  /** Records that a server has completed the transfer of a serial. */
  transferCompleted(zoneId: string, server: string, serial: number, at: string): void;
  /**
   * Checks the next former zones after a name, and deletes those that went before a time.
   * @returns the last name checked; undefined at the end
   */
  pruneFormer(before: string, after: string, limit: number): Promise<string | undefined>;
  /** Deletes the next members that left catalogs before a serial. @returns true if there may be more */
  pruneCatalogs(before: number, limit: number): Promise<boolean>;
}
