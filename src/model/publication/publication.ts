/** The publication state of zones on name servers. Serials compare by RFC 1982. */
import type { Fqdn } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { ServerAddress } from '../pools/pool.ts';

const FORMER = '/former';

/** A server's last answer about a zone. */
export interface ServerAnswer extends ServerAddress {
  /** The server's serial; null if it does not have the zone. */
  readonly serial: number | null;
  /** Since when the server has had this serial or fault. */
  readonly since: string;
  /** Why the server is out of date, as a sentence; null if it is up to date. */
  readonly fault: string | null;
}

/** The id of the order that a moved zone leaves in its former pool until the servers there have dropped it. */
export function formerOrderId(zoneId: string): string {
  return `${zoneId}${FORMER}`;
}

/** The zone that an order is about. */
export function zoneIdOf(orderId: string): string {
  return orderId.replace(FORMER, '');
}

/** An ongoing move of a zone to another pool. */
export interface Move {
  /** The target pool. */
  readonly poolId: string;
  /** The serial that the servers there must have before the next step. */
  readonly serial: number;
}

/**
 * The order to publish or remove a zone: one per zone. While a zone moves to a pool that shares no server with its own,
 * there is another order for the pool that it leaves.
 */
export interface Order {
  /** The zone's id, or its `formerOrderId`. */
  readonly id: string;
  readonly zoneId: string;
  readonly name: Fqdn;
  readonly poolId: string;
  readonly isRemoval: boolean;
  /** The serial to publish. */
  readonly serial: number;
  /** The serial that enough servers have; null for none. */
  readonly publishedSerial: number | null;
  /** Since when servers have been behind; '' if none is. */
  readonly pendingSince: string;
  /** When to check the servers next; '' if there is nothing to do. */
  readonly dueAt: string;
  /** Number of checks that found servers behind. */
  readonly attempts: number;
  /** Why the zone is in ERROR, as a sentence; '' if it is not. */
  readonly error: string;
  readonly servers: readonly ServerAnswer[];
  /** Null if the zone is not being moved. */
  readonly move: Move | null;
}

/** An order leased by a process: `dueAt` is the end of the lease. */
export interface ClaimedOrder extends Order {
  /** When it was due. For an order that was never checked, the time of the newest change. */
  readonly orderedAt: string;
}

/** The orders of one zone. */
export interface OrdersOfZone {
  readonly own: Order | undefined;
  /** For the pool that the zone leaves. */
  readonly former: Order | undefined;
}

/** The result of processing one order. */
export interface OrderOutcome {
  readonly orderId: string;
  /** The pool of the order: it may be that of another pool by now. */
  readonly poolId: string;
  /** The `dueAt` of the claim: an order renewed in the meantime stays due. */
  readonly claimedUntil: string;
  /** The serial that enough servers have now; null for none. */
  readonly publishedSerial: number | null;
  /** True if the order is complete. */
  readonly isDone: boolean;
  /** When to check next, if it is not complete. */
  readonly dueAt: string;
  readonly error: string;
  readonly servers: readonly ServerAnswer[];
}

/** A zone as served by the hidden primary. */
export interface ServedZone {
  readonly id: string;
  readonly projectId: string;
  readonly poolId: string;
  /** The pool that it is leaving, while servers there must keep it. */
  readonly formerPoolId: string | null;
  readonly name: Fqdn;
  readonly serial: number;
  /** In seconds; for records without their own TTL. */
  readonly ttl: number;
  /** SOA rdata in canonical form. */
  readonly soa: string;
}

/** One record: owner name, type, TTL in seconds, and rdata in canonical form. */
export type JournalRecord = readonly [name: string, type: StoredType, ttl: number, rdata: string];

/** One change of a zone between two serials (RFC 1995). */
export interface JournalEntry {
  readonly fromSerial: number;
  readonly toSerial: number;
  /** The SOA rdata before and after the change. */
  readonly soa: readonly [before: string, after: string];
  readonly removed: readonly JournalRecord[];
  readonly added: readonly JournalRecord[];
}

/** A catalog zone (RFC 9432) at one serial. */
export interface Catalog {
  readonly poolId: string;
  readonly fqdn: Fqdn;
  readonly refresh: number;
  readonly serial: number;
}

/** A member of a catalog. Its `label` is unique and never reused. */
export interface CatalogMember {
  readonly label: string;
  readonly name: Fqdn;
}

/** The name of a zone that is gone. */
export interface FormerZone {
  readonly name: Fqdn;
  readonly poolId: string;
  readonly projectId: string;
  readonly serial: number;
  readonly goneAt: string;
}
