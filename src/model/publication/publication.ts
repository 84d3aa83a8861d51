/** What is known of zones on name servers. Serials compare by RFC 1982. */
import type { Fqdn } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { ServerAddress } from '../pools/pool.ts';

const FORMER = '/former';

/** What one server answered about one zone when it was last asked. */
export interface ServerAnswer extends ServerAddress {
  /** The serial that it has; null for none. */
  readonly serial: number | null;
  /** Since when it has what it has, or fails as it fails. */
  readonly since: string;
  /** Why it has not what it should have, as a sentence; null if it has. */
  readonly fault: string | null;
}

/** The order that a zone leaves behind in a pool, until the servers there have dropped it. */
export function formerOrderId(zoneId: string): string {
  return `${zoneId}${FORMER}`;
}

/** The zone that an order is about. */
export function zoneIdOf(orderId: string): string {
  return orderId.replace(FORMER, '');
}

/** The move of a zone to another pool, while it lasts. */
export interface Move {
  /** The pool that the zone moves to. */
  readonly poolId: string;
  /** The serial that the servers there need to have before the next step. */
  readonly serial: number;
}

/**
 * The order to publish a zone, or to remove it: one for each zone, whatever happens to it. While it moves to a pool that has
 * no server in common with its pool, there is another one for the pool that it leaves.
 */
export interface Order {
  /** The zone's id, or `formerOrderId` of it. */
  readonly id: string;
  readonly zoneId: string;
  readonly name: Fqdn;
  readonly poolId: string;
  readonly isRemoval: boolean;
  /** The serial to publish. */
  readonly serial: number;
  /** The serial that enough servers have; null for none. */
  readonly publishedSerial: number | null;
  /** Since when servers are behind; '' if they are not. */
  readonly pendingSince: string;
  /** When to look next; '' if there is nothing to do. */
  readonly dueAt: string;
  /** How often the servers were asked for it in vain. */
  readonly attempts: number;
  /** Why the zone is in ERROR, as a sentence; '' if it is not. */
  readonly error: string;
  readonly servers: readonly ServerAnswer[];
  /** Null for a zone that is not being moved. */
  readonly move: Move | null;
}

/** An order that somebody has taken: its `dueAt` is the end of the lease. */
export interface ClaimedOrder extends Order {
  /** When it was due: for an order that was not looked at yet, the time of the newest change. */
  readonly orderedAt: string;
}

/** The orders of one zone. */
export interface OrdersOfZone {
  readonly own: Order | undefined;
  /** For the pool that the zone leaves. */
  readonly former: Order | undefined;
}

/** What came of looking after one order. */
export interface Outcome {
  readonly orderId: string;
  /** The `dueAt` that the order was claimed with: one that was made anew meanwhile stays due. */
  readonly claimedUntil: string;
  /** The serial that enough servers have now; null for none. */
  readonly publishedSerial: number | null;
  /** Whether the order is done. */
  readonly isDone: boolean;
  /** When to look next, if it is not done. */
  readonly dueAt: string;
  readonly error: string;
  readonly servers: readonly ServerAnswer[];
}

/** A zone as the hidden primary answers for it. */
export interface ServedZone {
  readonly id: string;
  readonly projectId: string;
  readonly poolId: string;
  /** The pool that it is leaving, as long as the servers there are to keep it. */
  readonly formerPoolId: string | null;
  readonly name: Fqdn;
  readonly serial: number;
  /** Of records without a TTL of their own. Seconds. */
  readonly ttl: number;
  /** The SOA's rdata in canonical form. */
  readonly soa: string;
}

/** One record: owner name, type, TTL in seconds, rdata in canonical form. */
export type JournalRecord = readonly [name: string, type: StoredType, ttl: number, rdata: string];

/** One change of a zone, from serial to serial (RFC 1995). */
export interface JournalEntry {
  readonly fromSerial: number;
  readonly toSerial: number;
  /** The rdata of the SOA before the change and after it. */
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

/** A member of a catalog: `label` is unique and never used again. */
export interface CatalogMember {
  readonly label: string;
  readonly name: Fqdn;
}

/** A name whose zone is gone. */
export interface FormerZone {
  readonly name: Fqdn;
  readonly poolId: string;
  readonly projectId: string;
  readonly serial: number;
  readonly goneAt: string;
}
