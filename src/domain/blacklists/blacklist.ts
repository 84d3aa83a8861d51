import type { ListQuery } from '../lists.ts';

/** A name rule: no zone is created whose name its pattern matches. */
export interface Blacklist {
  readonly id: string;
  readonly pattern: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** The number of checks that exhausted the step budget on this pattern, and the time of the last. */
  readonly exhausted: { readonly count: number; readonly lastAt: string } | null;
}

export const BLACKLIST_SORT_KEYS = ['created_at', 'updated_at', 'id', 'pattern'] as const;
export const BLACKLIST_FILTERS = ['pattern', 'description'] as const;
export type BlacklistQuery = ListQuery<
  (typeof BLACKLIST_SORT_KEYS)[number],
  (typeof BLACKLIST_FILTERS)[number]
>;

export interface BlacklistDraft {
  readonly pattern: string;
  readonly description?: string | null | undefined;
}
