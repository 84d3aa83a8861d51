import type { Fqdn } from '../../dns/names.ts';
import type { Lists } from '../lists.ts';
import type { Pool, PoolQuery, ZonePool } from './pool.ts';

/** Unfinished work on a pool's zones after a change of the pool. It is done in the order of zone ids. */
export interface Backlog {
  readonly poolId: string;
  /** The pool's `updatedAt`: another change restarts the work. */
  readonly updatedAt: string;
  /** The last zone done; '' for none. */
  readonly after: string;
}

/** `orders` to recreate, or `apexes` to update. */
export type BacklogKind = 'orders' | 'apexes';

/**
 * Chooses the pool of a new zone: the one named by `pool_id`; else, if there are attributes, a pool that has them all
 * (of several the default, then the oldest); else the default. Returns undefined if no pool has the id, and a string if
 * no zone can have this name.
 */
export type PoolChooser = (
  name: Fqdn,
  attributes: Readonly<Record<string, string>>,
) => ZonePool | 'name of a catalog' | 'name in a catalog' | undefined;

export interface PoolChoice {
  /** Chooses among the current pools. */
  chooser(): Promise<PoolChooser>;
}

export interface PoolReads extends Lists<Pool, PoolQuery>, PoolChoice {
  /** Every pool: the default first, then by age, oldest first. There are few. */
  all(): Promise<readonly Pool[]>;
  find(id: string): Promise<Pool | undefined>;
  /** The stored name servers of the option `ns_records`, which zones have or will get; undefined if none are stored. */
  option(): Promise<readonly string[] | undefined>;
  /** Unfinished work of one kind, of any pool. */
  backlog(kind: BacklogKind): Promise<Backlog | undefined>;
  /** The ids of the next zones of a pool after an id, in order. */
  zonesAfter(poolId: string, after: string, limit: number): Promise<readonly string[]>;
}

export interface PoolWrites extends PoolChoice {
  /**
   * Locks all pools and TSIG keys, and waits for running zone creates: until the transaction ends, no zone enters a
   * pool.
   */
  lockAll(): Promise<readonly Pool[]>;
  /** Whether zones are in the pool, or are moving to it or away from it. */
  hasZones(id: string): Promise<boolean>;
  insert(pool: Pool): void;
  /** Also records the work that follows from the change. */
  update(pool: Pool, consequences: { readonly reorders: boolean; readonly renewsApexes: boolean }): void;
  remove(id: string): void;
  /**
   * Records the progress of a backlog.
   * @param to the last zone done; null if all are done
   * @returns false, with nothing recorded, if another process got further or the pool has changed
   */
  advance(kind: BacklogKind, backlog: Backlog, to: string | null): Promise<boolean>;
  /**
   * Stores the name servers of the option `ns_records`; requires `lockAll`. Zones of the default pool get them if the
   * pool has no NS records of its own.
   * @returns false, with nothing stored, if they are unchanged
   */
  keepOption(nameServers: readonly string[], now: string): Promise<boolean>;
  all(): Promise<readonly Pool[]>;
  find(id: string): Promise<Pool | undefined>;
  /** The pool in the form that zones use. */
  findForZone(id: string): Promise<ZonePool | undefined>;
}
