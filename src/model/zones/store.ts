import type { Fqdn } from '../../dns/names.ts';
import type { Scope } from '../access/scope.ts';
import type { OwnModes } from '../guardrails/guardrail.ts';
import type { Lists } from '../lists.ts';
import type { HiddenRecords } from './hidden-records.ts';
import type { Totals } from './totals.ts';
import type { FullestZone, Zone, ZoneQuery } from './zone.ts';

/** Conflicts of a new name with existing zones. */
export interface NameConflicts {
  readonly duplicate: boolean;
  /** True if the project has a zone with this name that is being deleted. */
  readonly isLeaving: boolean;
  /** True if a zone above or below the name belongs to another project. */
  readonly foreignParent: boolean;
  readonly foreignChild: boolean;
  /** True if a zone above the name belongs to the project. */
  readonly ownParent: boolean;
  /** True if a zone below the name belongs to the project and no other has one there. False if not asked for. */
  readonly ownChild: boolean;
}

/** A name, and the project that wants it as a zone. */
export interface WantedName {
  readonly name: Fqdn;
  readonly projectId: string;
  /** True to find `ownChild`, too, which takes another statement. */
  readonly findsOwnChild?: boolean;
}

export type ZoneAtName = Pick<Zone, 'id' | 'name'>;

export interface ZoneReads extends Lists<Zone, ZoneQuery, Scope> {
  find(id: string, scope: Scope): Promise<Zone | undefined>;
  /** The zones with these names that the scope sees, found by one statement. */
  seenAmong(names: readonly Fqdn[], scope: Scope): Promise<readonly ZoneAtName[]>;
  /** The conflicts of each name, in the given order. */
  conflicts(wanted: readonly WantedName[]): Promise<readonly NameConflicts[]>;
  /** What new zones with these names would hide in the zones above them; only names that hide anything. */
  hiddenBy(names: readonly Fqdn[]): Promise<ReadonlyMap<Fqdn, HiddenRecords>>;
  /** The zone of a project that has the most records or bytes. */
  fullest(projectId: string, by: 'records' | 'bytes'): Promise<FullestZone | undefined>;
  /** The number of recordsets in the project's zone that has the most, excluding managed ones. */
  maxRecordsets(projectId: string): Promise<number>;
}

export interface ZoneWrites {
  /**
   * Locks the name: until the transaction ends, no other one creates or moves a zone at, above or below it, or changes
   * the blacklists. Must come before any other lock.
   */
  lockName(name: Fqdn): Promise<void>;
  /** Locks, as `lockName` does, the names that no other transaction has locked, and returns them. Never waits. */
  lockFreeNames(names: readonly Fqdn[]): Promise<ReadonlySet<Fqdn>>;
  lock(id: string, scope: Scope): Promise<Zone | undefined>;
  /** Locks the project's zones with the most recordsets and the most records. */
  lockFullest(projectId: string): Promise<readonly Zone[]>;
  /** Stores the notified thresholds for the zone's sizes. */
  setNotified(id: string, notified: string): void;
  /** Stores the zone's own guardrail modes. */
  setGuardrails(id: string, modes: OwnModes | null): void;
  /** The current zone, without a lock. */
  find(id: string, scope: Scope): Promise<Zone | undefined>;
  /** The conflicts of each name, in the given order. */
  conflicts(wanted: readonly WantedName[]): Promise<readonly NameConflicts[]>;
  /** What new zones with these names would hide in the zones above them; only names that hide anything. */
  hiddenBy(names: readonly Fqdn[]): Promise<ReadonlyMap<Fqdn, HiddenRecords>>;
  hasChildren(name: Fqdn): Promise<boolean>;
  /** The names that a zone has. */
  namesAmong(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** Stores new zones. Their names must be locked and free. */
  insert(...zones: readonly Zone[]): void;
  /**
   * Changes anything but the owner and the pool; name, type and time of creation are fixed.
   * @param soa SOA rdata; undefined leaves it unchanged
   */
  update(zone: Zone, soa: string | undefined): void;
  /** Changes the owner. */
  moveTo(id: string, projectId: string): void;
  /** Changes the pool. */
  setPool(id: string, poolId: string): void;
  /** Corrects only the counters. */
  correct(id: string, totals: Totals): void;
  /**
   * Keeps the row of a zone that is waiting for its removal, and deletes what depends on it. Delete its recordsets
   * first.
   */
  leave(zone: Zone): void;
  /** Deletes a zone with its transfer requests and accepts. Delete its recordsets first. */
  remove(zone: Zone): void;
}
