import type { Fqdn } from '../../dns/names.ts';
import type { ListQuery } from '../lists.ts';

/** What becomes of a create whose name matches: it is refused, or succeeds with a warning, or succeeds and is noted alone. */
export const MODES = ['enforce', 'warn', 'audit'] as const;
export type Mode = (typeof MODES)[number];

/** Who may take a matching name all the same: a project, or anybody this name, or the project this name. */
export interface BlacklistException {
  readonly projectId: string | null;
  /** Canonical, compared whole. */
  readonly name: Fqdn | null;
  readonly description: string | null;
  /** It applies to a zone that is created before. */
  readonly expiresAt: string | null;
}

/** The maximum number of exceptions of an entry. */
export const MOST_EXCEPTIONS = 100;

/** How many creates the entry has met, by what became of them, and the time of the last. */
export interface Hits {
  readonly refused: number;
  readonly warned: number;
  readonly audited: number;
  readonly lastAt: string;
}

/** How an entry takes part in the judgement of a name. */
export interface Terms {
  readonly mode: Mode;
  /** The entry holds for a zone that is created before. */
  readonly expiresAt: string | null;
  readonly exceptions: readonly BlacklistException[];
}

/** A name rule: no zone is created whose name its pattern matches, unless its terms say otherwise. */
export interface Blacklist extends Terms {
  readonly id: string;
  readonly pattern: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** The number of checks that exhausted the step budget on this pattern, and the time of the last. */
  readonly exhausted: { readonly count: number; readonly lastAt: string } | null;
  readonly hits: Hits | null;
  /** The names of the lists that hold it, sorted. */
  readonly lists: readonly string[];
}

/** What an entry has that nothing else is said of. */
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
