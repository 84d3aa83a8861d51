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
   * The pool of a new zone. With attributes: the pool that holds them all; of several the default, then the oldest.
   * Else the default.
   */
  choose(attributes: Readonly<Record<string, string>>): Promise<ZonePool>;
}
