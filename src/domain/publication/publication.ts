/** What is known of zones on name servers. Serials compare by RFC 1982. */
import type { Fqdn } from '../../dns/names.ts';
import type { RecordType } from '../../dns/rdata.ts';
import type { ServerAddress } from '../pools/pool.ts';

/** What one server answered about one zone when it was last asked. */
export interface ServerAnswer extends ServerAddress {
  /** The serial that it has; null for none. */
  readonly serial: number | null;
  /** Since when it has what it has, or fails as it fails. */
  readonly since: string;
  /** Why it has not what it should have, as a sentence; null if it has. */
  readonly fault: string | null;
}

/** The order to publish a zone, or to remove it: one for each zone, whatever happens to it. */
export interface Order {
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
}

/** What came of looking after one order. */
export interface Outcome {
  readonly zoneId: string;
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
  readonly name: Fqdn;
  readonly serial: number;
  /** Of records without a TTL of their own. Seconds. */
  readonly ttl: number;
  /** The SOA's rdata in canonical form. */
  readonly soa: string;
}

/** One record: owner name, type, TTL in seconds, rdata in canonical form. */
export type JournalRecord = readonly [name: string, type: RecordType, ttl: number, rdata: string];

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
