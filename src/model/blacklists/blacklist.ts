import type { Fqdn } from '../../dns/names.ts';
import type { ListQuery } from '../lists.ts';

/**
 * What happens to a create whose name matches: it is refused, succeeds with a warning, or succeeds and is only
 * recorded.
 */
export const MODES = ['enforce', 'warn', 'audit'] as const;
export type Mode = (typeof MODES)[number];

/** Who may still use a matching name: a project any name, anyone this name, or the project this name. */
export interface BlacklistException {
  readonly projectId: string | null;
  /** Canonical. It must equal the whole name. */
  readonly name: Fqdn | null;
  readonly description: string | null;
  /** The exception applies to zones created before this time; null for no expiry. */
  readonly expiresAt: string | null;
}

/** Maximum number of exceptions per entry. */
export const MAX_EXCEPTIONS = 100;

/** Number of creates that matched the entry, by outcome, and the time of the last one. */
export interface Hits {
  readonly refused: number;
  readonly warned: number;
  readonly audited: number;
  readonly lastAt: string;
}

/** How an entry applies to a matching name. */
export interface Terms {
  readonly mode: Mode;
  /** The entry applies to zones created before this time; null for no expiry. */
  readonly expiresAt: string | null;
  readonly exceptions: readonly BlacklistException[];
}

/** A name rule: a zone whose name matches the pattern cannot be created, unless the terms allow it. */
export interface Blacklist extends Terms {
  readonly id: string;
  readonly pattern: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** Number of checks that exhausted the step budget on this pattern, and the time of the last one. */
  readonly exhausted: { readonly count: number; readonly lastAt: string } | null;
  readonly hits: Hits | null;
  /** Names of the lists that hold it, sorted. */
  readonly lists: readonly string[];
}

/** The terms of an entry that sets none. */
export const DEFAULT_TERMS: Terms = { mode: 'enforce', expiresAt: null, exceptions: [] };

export const BLACKLIST_SORT_KEYS = ['created_at', 'updated_at', 'id', 'pattern'] as const;
export const BLACKLIST_FILTERS = ['pattern', 'description', 'list'] as const;
export type BlacklistQuery = ListQuery<
  (typeof BLACKLIST_SORT_KEYS)[number],
  (typeof BLACKLIST_FILTERS)[number]
>;

export interface BlacklistDraft extends Partial<Terms> {
  readonly pattern: string;
  readonly description?: string | null | undefined;
}
