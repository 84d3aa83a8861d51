import type { Fqdn } from '../../dns/names.ts';
import type { Lists } from '../lists.ts';
import type { Tld, TldQuery, TldVerdict } from './tld.ts';

export interface TldReads extends Lists<Tld, TldQuery> {
  find(id: string): Promise<Tld | undefined>;
  /** Verdicts on zone names, in the given order. */
  verdictsOn(names: readonly Fqdn[]): Promise<readonly TldVerdict[]>;
  /** All matching TLDs, in batches. */
  stream(query: Omit<TldQuery, 'limit' | 'marker'>, onBehalfOf: string): AsyncIterable<readonly Tld[]>;
}

/**
 * Before a change commits, it waits for running creates of zones, so that none on any process still uses the old TLDs.
 */
export interface TldWrites {
  /** Committed verdicts on zone names. No other transaction changes them while this one holds the names. */
  verdictsOn(names: readonly Fqdn[]): Promise<readonly TldVerdict[]>;
  lock(id: string): Promise<Tld | undefined>;
  /** Stores the TLDs with new names, and returns their number. */
  insert(tlds: readonly Tld[]): Promise<number>;
  /** Returns false, with nothing changed, if another TLD has the new name. */
  update(current: Tld, changed: Tld): Promise<boolean>;
  remove(id: string): Promise<void>;
}
