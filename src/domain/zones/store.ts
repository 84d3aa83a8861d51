import type { Fqdn } from '../../dns/names.ts';
import type { Scope } from '../acts/scope.ts';
import type { Lists } from '../lists.ts';
import type { FullestZone, Zone, ZoneQuery } from './zone.ts';
import type { Totals } from './zone-change.ts';

/** The zones that stand in the way of a new name. */
export interface NameConflicts {
  readonly duplicate: boolean;
  /** A zone above the name belongs to another project; the other one, a zone below it. */
  readonly foreignParent: boolean;
  readonly foreignChild: boolean;
}

export interface ZoneReads extends Lists<Zone, ZoneQuery, Scope> {
  find(id: string, scope: Scope): Promise<Zone | undefined>;
  /** The zone of a project that holds the most records. */
  fullest(projectId: string): Promise<FullestZone | undefined>;
}

export interface ZoneWrites {
  /**
   * Waits for the name: until this transaction ends nobody else creates or moves a zone at it, above it or below it,
   * and nobody changes the blacklists. It comes before any other lock.
   */
  lockName(name: Fqdn): Promise<void>;
  lock(id: string, scope: Scope): Promise<Zone | undefined>;
  conflicts(name: Fqdn, projectId: string): Promise<NameConflicts>;
  hasChildren(name: Fqdn): Promise<boolean>;
  /** Those of the names that are names of zones. */
  namesAmong(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** Stores a zone whose name is locked and free. */
  insert(zone: Zone): void;
  update(zone: Zone, soa: string): void;
  /** Corrects the counters, and nothing else. */
  correct(id: string, totals: Totals): void;
  /** With its transfer requests and accepts; its recordsets go first. */
  remove(zone: Zone): void;
}
