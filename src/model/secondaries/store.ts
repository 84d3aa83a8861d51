import type { Fqdn } from '../../dns/names.ts';
import type { ServerAddress } from '../pools/pool.ts';
import type { Zone } from '../zones/zone.ts';

/** Why the last attempt failed, as sentences; '' if it did not. */
export interface SecondaryFault {
  /** For the owner of the zone. */
  readonly fault: string;
  /** For administrators. */
  readonly cause: string;
}

/** What is known of the masters of a secondary zone. */
export interface SecondaryState extends SecondaryFault {
  readonly zoneId: string;
  readonly masters: readonly ServerAddress[];
  /** When they are asked next; '' for never. */
  readonly dueAt: string;
  /** When a master was last heard whose zone is here, or was taken; '' for never. */
  readonly contactAt: string;
  /** When the zone is answered no more without another contact; '' before the first transfer. */
  readonly expiresAt: string;
  readonly isExpired: boolean;
  /** As in {@link RetryState}. */
  readonly attempts: number;
}

/** A secondary zone, and where it comes from. */
export interface SecondaryZone {
  readonly zoneId: string;
  readonly name: Fqdn;
  readonly masters: readonly ServerAddress[];
}

/** A secondary zone that is due, with what bounds the next attempt. */
export interface ClaimedSecondary {
  readonly zoneId: string;
  readonly projectId: string;
  readonly name: Fqdn;
  /** Null before the first transfer. */
  readonly serial: number | null;
  readonly masters: readonly ServerAddress[];
  readonly wantsWhole: boolean;
}

/** A zone becomes due at once, but not sooner than `afterPause` where it was asked after `askedSince`. */
export interface Pause {
  readonly now: string;
  readonly askedSince: string;
  readonly afterPause: string;
}

/** Places for zones whose masters are asked: of one project only so many. */
export interface ClaimPlaces {
  hasRoom(projectId: string): boolean;
  take(projectId: string): void;
}

/** How long to wait after a failure: doubled with each attempt that counts. */
export interface RetryState {
  /** Seconds, as the master says; 0 before the first transfer. */
  readonly retry: number;
  /** Since a transfer was taken: those that brought one that could not be, or while nothing of the zone is answered. */
  readonly attempts: number;
  readonly isExpired: boolean;
}

/** A contact with a master. */
export interface Contact {
  readonly zoneId: string;
  /** Whether a transfer came. */
  readonly isTransfer: boolean;
  readonly at: string;
  readonly dueAt: string;
  readonly expiresAt: string;
  /** Seconds; those in force. */
  readonly retry: number;
  /** What the owner should do about it, as a sentence; '' for nothing. */
  readonly fault: string;
}

export interface SecondaryReads {
  find(zoneId: string): Promise<SecondaryState | undefined>;
  /** That of the zone with the name, unless it waits for its removal. */
  findByName(name: Fqdn): Promise<SecondaryState | undefined>;
  /** Secondary zones in the order of their ids, after one of them; empty behind the last. */
  page(after: string): Promise<readonly SecondaryZone[]>;
  /** Whether a zone is due, or has to expire. */
  hasWork(now: string): Promise<boolean>;
}

/** Writes beside those of the zones themselves. A claim is a lease: what makes a zone due meanwhile is not undone by its end. */
export interface SecondaryWrites {
  /** A new zone is due at once. */
  insert(zone: Zone): void;
  /** Other masters are asked: when, as by `order`. */
  setMasters(zone: Zone, when: Pause): void;
  /** Asks no more, for a zone that leaves; or forgets all, for one that is gone. */
  end(zoneId: string, isGone: boolean): void;
  /** Another project has the zone, if it is a secondary one. */
  moveTo(zoneId: string, projectId: string): void;
  /**
   * Takes zones that are due, one of each project in turn, of each the longest due first; nobody else takes them until
   * the given time.
   */
  claim(
    now: string,
    until: string,
    limit: number,
    places?: ClaimPlaces,
  ): Promise<readonly ClaimedSecondary[]>;
  /** Marks zones whose masters have not been heard for so long, and names them. */
  expire(now: string, limit: number): Promise<readonly Pick<Zone, 'id' | 'name' | 'projectId'>[]>;
  /** Makes a zone due. */
  order(zoneId: string, when: Pause, wantsWhole: boolean): void;
  /** Ends the lease with a contact; returns whether the zone had expired. */
  contacted(contact: Contact): Promise<boolean>;
  /** Undefined if there is no such zone. */
  retryOf(zoneId: string): Promise<RetryState | undefined>;
  /** Ends the lease without a contact; `counts`: it makes the next waits longer. */
  failed(zoneId: string, fault: SecondaryFault, dueAt: string, counts: boolean): void;
}
