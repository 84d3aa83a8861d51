import type { Pool, ZonePool } from './pool.ts';

export interface PoolReads {
  /** Every pool, the default one first, then the oldest. There are few. */
  all(): Promise<readonly Pool[]>;
  find(id: string): Promise<Pool | undefined>;
}

export interface PoolWrites {
  all(): Promise<readonly Pool[]>;
  find(id: string): Promise<Pool | undefined>;
  /**
   * The pool of a new zone: the one that `pool_id` names. Else, with attributes, the pool that holds them all; of several
   * the default, then the oldest. Else the default. Undefined if no pool has the id.
   */
  choose(attributes: Readonly<Record<string, string>>): Promise<ZonePool | undefined>;
}
