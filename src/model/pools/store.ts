import type { Fqdn } from '../../dns/names.ts';
import type { Lists } from '../lists.ts';
import type { Pool, PoolQuery, ZonePool } from './pool.ts';

/** Work on the zones of a pool that a change of it has left to do, in the order of their ids. */
export interface Backlog {
  readonly poolId: string;
  /** Of the pool: another change begins the work anew. */
  readonly updatedAt: string;
  /** The zone up to which it is done; '' for none. */
  readonly after: string;
}

/** `orders` to make anew, or `apexes` to bring up to date. */
export type BacklogKind = 'orders' | 'apexes';

/**
 * The pool of a new zone: the one that `pool_id` names. Else, with attributes, the pool that holds them all; of several
 * the default, then the oldest. Else the default. Undefined if no pool has the id, a text if no zone can have the name.
 */
export type PoolChooser = (
  name: Fqdn,
  attributes: Readonly<Record<string, string>>,
) => ZonePool | 'name of a catalog' | undefined;

export interface PoolChoice {
  /** Chooses among the pools as they are now. */
  chooser(): Promise<PoolChooser>;
}

export interface PoolReads extends Lists<Pool, PoolQuery>, PoolChoice {
  /** Every pool, the default one first, then the oldest. There are few. */
  all(): Promise<readonly Pool[]>;
  find(id: string): Promise<Pool | undefined>;
  /** The name servers of the option `ns_records` that zones have or get; undefined if none are kept. */
  option(): Promise<readonly string[] | undefined>;
  /** The work of one kind that one of the pools has left. */
  backlog(kind: BacklogKind): Promise<Backlog | undefined>;
  /** The ids of the next zones of a pool after an id, in order. */
  zonesAfter(poolId: string, after: string, limit: number): Promise<readonly string[]>;
}

export interface PoolWrites extends PoolChoice {
  /**
   * Lets pools and keys change in one transaction at a time, and waits for all creates of zones: until this transaction
   * ends, no zone enters a pool.
   */
  lockAll(): Promise<readonly Pool[]>;
  /** Whether zones belong to it, or are being moved to it or away from it. */
  hasZones(id: string): Promise<boolean>;
  insert(pool: Pool): void;
  /** Also leaves the work to do that follows from the change. */
  update(pool: Pool, consequences: { readonly reorders: boolean; readonly renewsApexes: boolean }): void;
  remove(id: string): void;
  /**
   * Notes how far the work has come.
   * @param to the zone up to which it is done; null where all of it is
   * @returns false, and nothing noted, if another process has come further, or the pool has changed
   */
  advance(kind: BacklogKind, backlog: Backlog, to: string | null): Promise<boolean>;
  /**
   * Keeps the name servers of the option `ns_records`, under the lock of `lockAll`. Zones of the default pool without NS
   * records of its own get them.
   * @returns false, and nothing kept, if they are the same
   */
  keepOption(nameServers: readonly string[], now: string): Promise<boolean>;
  all(): Promise<readonly Pool[]>;
  find(id: string): Promise<Pool | undefined>;
  /** The pool as its zones know it. */
  findForZone(id: string): Promise<ZonePool | undefined>;
}
