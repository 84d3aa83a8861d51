/** A list query. `limit` is the page size; `*` in a filter matches any text (`name-filter.ts`). */
export interface ListQuery<SortKey extends string, Filter extends string> {
  readonly filters: Partial<Readonly<Record<Filter, string>>>;
  readonly sortKey: SortKey;
  readonly sortDir: 'asc' | 'desc';
  readonly limit: number;
  /** The id of the last entry seen. */
  readonly marker?: string;
  /** True to include the number of matches on all pages. */
  readonly isCounted?: boolean;
}

/**
 * The lists of one resource.
 * @typeParam Within restricts the list to an owner or a zone
 */
export interface Lists<Thing, Query extends ListQuery<string, string>, Within = void> {
  /**
   * Reads one page.
   * @param onBehalfOf the caller's project: projects take turns with long reads
   * @throws DomainError `marker_not_found`, `slow_sort_key`, `slow_read`, `too_many_reads`
   */
  list(query: Query, within: Within, onBehalfOf: string): Promise<Page<Thing>>;
}

/** Number of past imports, exports and transfers kept per project and kind. */
export const HISTORY_KEPT = 1000;

/** One page; `more` is true if another follows. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly more: boolean;
  /** Number of matches on all pages, if the query asks for it. */
  readonly total?: number;
  /** For data that is recomputed from time to time: it is at least as recent as this. Null if it was never computed. */
  readonly asOf?: string | null;
}
