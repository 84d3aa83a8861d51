import type { Fqdn } from '../../dns/names.ts';
import type { ServerAddress } from '../pools/pool.ts';
import type { Zone } from '../zones/zone.ts';

/** Why the last attempt failed, as sentences; '' if it succeeded. */
export interface SecondaryFault {
  /** For the zone's owner. */
  readonly fault: string;
  /** For administrators. */
  readonly cause: string;
}

/** The state of a secondary zone and its masters. */
export interface SecondaryState extends SecondaryFault {
  readonly zoneId: string;
  readonly masters: readonly ServerAddress[];
  /** When the masters are asked next; '' for never. */
  readonly dueAt: string;
  /** When a master last confirmed the current serial or a transfer was last applied; '' for never. */
  readonly contactAt: string;
  /** When the zone stops being served unless a master is reached; '' before the first transfer. */
  readonly expiresAt: string;
  readonly isExpired: boolean;
  /** See {@link RetryState}. */
  readonly attempts: number;
}

/** A secondary zone and its masters. */
export interface SecondaryZone {
  readonly zoneId: string;
  readonly name: Fqdn;
  readonly masters: readonly ServerAddress[];
}

/** A due secondary zone, with the input for its next attempt. */
export interface ClaimedSecondary {
  readonly zoneId: string;
  readonly projectId: string;
  readonly name: Fqdn;
  /** Null before the first transfer. */
  readonly serial: number | null;
  readonly masters: readonly ServerAddress[];
  readonly wantsWhole: boolean;
}

/** When a zone becomes due: at `now`, or at `afterPause` if its masters were asked after `askedSince`. */
export interface DueTimes {
  readonly now: string;
  readonly askedSince: string;
  readonly afterPause: string;
}

/** Limits the number of zones per project whose masters are being asked. */
export interface ClaimPlaces {
  hasCapacity(projectId: string): boolean;
  take(projectId: string): void;
}

/** Determines the wait after a failure: it doubles with each attempt that counts. */
export interface RetryState {
  /** In seconds, from the master's SOA; 0 before the first transfer. */
  readonly retry: number;
  /**
   * Number of failed attempts since the last applied transfer that count: a transfer came and could not be applied, or
   * the zone is not being served.
   */
  readonly attempts: number;
  readonly isExpired: boolean;
}

/** A successful contact with a master. */
export interface Contact {
  readonly zoneId: string;
  /** True if a transfer was applied. */
  readonly isTransfer: boolean;
  readonly at: string;
  readonly dueAt: string;
  readonly expiresAt: string;
  /** In seconds; the value in force. */
  readonly retry: number;
  /** What the owner should fix, as a sentence; '' for nothing. */
  readonly fault: string;
}

export interface SecondaryReads {
  find(zoneId: string): Promise<SecondaryState | undefined>;
  /** The state of the zone with this name, unless it is waiting for its removal. */
  findByName(name: Fqdn): Promise<SecondaryState | undefined>;
  /** Secondary zones ordered by id, after a given one; empty after the last. */
  page(after: string): Promise<readonly SecondaryZone[]>;
  /** Whether any zone is due or must expire. */
  hasWork(now: string): Promise<boolean>;
}

/**
 * Writes besides those of the zones themselves. A claim is a lease; ending it keeps the zone due if something made it
 * due in the meantime.
 */
export interface SecondaryWrites {
  /** Adds a new zone, which is due at once. */
  insert(zone: Zone): void;
  /** Changes the masters. `when` applies as in `order`. */
  setMasters(zone: Zone, when: DueTimes): void;
  /** Stops refreshing a zone that is being removed; if `isGone`, deletes its state. */
  end(zoneId: string, isGone: boolean): void;
  /** Assigns the zone, if it is a secondary one, to another project. */
  moveTo(zoneId: string, projectId: string): void;
  /**
   * Claims due zones, one of each project in turn, and the longest due first within a project. No one else claims them
   * until the given time.
   */
  claim(
    now: string,
    until: string,
    limit: number,
    places?: ClaimPlaces,
  ): Promise<readonly ClaimedSecondary[]>;
  /** Marks zones as expired whose expiry time has passed, and returns them. */
  expire(now: string, limit: number): Promise<readonly Pick<Zone, 'id' | 'name' | 'projectId'>[]>;
  /** Makes a zone due. */
  order(zoneId: string, when: DueTimes, wantsWhole: boolean): void;
  /** Ends the lease after a contact. Returns true if the zone had expired. */
  contacted(contact: Contact): Promise<boolean>;
  /** Ends the lease without a contact or a failure. */
  release(zoneId: string, dueAt: string): void;
  /** Undefined if there is no such zone. */
  retryOf(zoneId: string): Promise<RetryState | undefined>;
  /** Ends the lease without a contact. If `counts`, the failure lengthens the next waits. */
  failed(zoneId: string, fault: SecondaryFault, dueAt: string, counts: boolean): void;
}
