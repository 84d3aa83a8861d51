import type { Fqdn } from '../../dns/names.ts';
import type { Scope } from '../access/scope.ts';
import type { Lists } from '../lists.ts';
import type { HiddenRecords } from './hidden-records.ts';
import type { Totals } from './totals.ts';
import type { FullestZone, Zone, ZoneQuery } from './zone.ts';

/** The zones that conflict with a new name. */
export interface NameConflicts {
  readonly duplicate: boolean;
  /** Whether the zone of that name belongs to the project, and is being deleted. */
  readonly isLeaving: boolean;
  /** Whether a zone above the name, or one below it, belongs to another project. */
  readonly foreignParent: boolean;
  readonly foreignChild: boolean;
}

/** A name, and the project that wants it for a zone. */
export interface WantedName {
  readonly name: Fqdn;
  readonly projectId: string;
}

export interface ZoneReads extends Lists<Zone, ZoneQuery, Scope> {
  find(id: string, scope: Scope): Promise<Zone | undefined>;
  /** What conflicts with each of the names, in their order. */
  conflicts(wanted: readonly WantedName[]): Promise<readonly NameConflicts[]>;
  /** What new zones of these names would hide of the zones above them, where that is anything. */
  hiddenBy(names: readonly Fqdn[]): Promise<ReadonlyMap<Fqdn, HiddenRecords>>;
  /** The zone of a project that holds the most records. */
  fullest(projectId: string, by: 'records' | 'bytes'): Promise<FullestZone | undefined>;
  /** The recordsets of the zone of the project that has the most, without the managed ones. */
  mostRecordsets(projectId: string): Promise<number>;
}

export interface ZoneWrites {
  /**
   * Locks the name: until this transaction ends, no other one creates or moves a zone at, above or below it, or changes
   * the blacklists. It comes before any other lock.
   */
  lockName(name: Fqdn): Promise<void>;
  /** Those of the names that no other transaction has locked, locked as by `lockName`. It never waits. */
  lockFreeNames(names: readonly Fqdn[]): Promise<ReadonlySet<Fqdn>>;
  lock(id: string, scope: Scope): Promise<Zone | undefined>;
  /** Locks the zones of a project that have the most recordsets and the most records. */
  lockFullest(projectId: string): Promise<readonly Zone[]>;
  /** Keeps what was told of the limits of its sizes. */
  setTold(id: string, told: string): void;
  /** A zone as it is now, without a lock. */
  find(id: string, scope: Scope): Promise<Zone | undefined>;
  /** What conflicts with each of the names, in their order. */
  conflicts(wanted: readonly WantedName[]): Promise<readonly NameConflicts[]>;
  /** What new zones of these names would hide of the zones above them, where that is anything. */
  hiddenBy(names: readonly Fqdn[]): Promise<ReadonlyMap<Fqdn, HiddenRecords>>;
  hasChildren(name: Fqdn): Promise<boolean>;
  /** The names for which a zone exists. */
  namesAmong(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** Stores zones whose names are locked and free. */
  insert(...zones: readonly Zone[]): void;
  /** @param soa its rdata; undefined leaves it as it is */
  update(zone: Zone, soa: string | undefined): void;
  /** Corrects the counters, and nothing else. */
  correct(id: string, totals: Totals): void;
  /** Keeps the row of a zone that waits for its removal, and removes what depends on it; its recordsets go first. */
  leave(zone: Zone): void;
  /** With its transfer requests and accepts; its recordsets go first. */
  remove(zone: Zone): void;
}
