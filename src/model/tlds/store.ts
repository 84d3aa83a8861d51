import type { Fqdn } from '../../dns/names.ts';
import type { Lists } from '../lists.ts';
import type { Tld, TldQuery, TldVerdict } from './tld.ts';

export interface TldReads extends Lists<Tld, TldQuery> {
  find(id: string): Promise<Tld | undefined>;
  /** The verdicts on the names of zones, in their order. */
  verdictsOn(names: readonly Fqdn[]): Promise<readonly TldVerdict[]>;
  /** All that match, in batches. */
  stream(query: Omit<TldQuery, 'limit' | 'marker'>, onBehalfOf: string): AsyncIterable<readonly Tld[]>;
}

/** No zone is created on another process between the commit of such a change and the one before it. */
export interface TldWrites {
  /** The committed verdicts on the names of zones; no other transaction changes them while this one holds the names. */
  verdictsOn(names: readonly Fqdn[]): Promise<readonly TldVerdict[]>;
  lock(id: string): Promise<Tld | undefined>;
  /** Stores those whose name is new, and returns their number. */
  insert(tlds: readonly Tld[]): Promise<number>;
  /** False, and nothing changed, when another TLD has the new name. */
  update(current: Tld, changed: Tld): Promise<boolean>;
  remove(id: string): Promise<void>;
}
