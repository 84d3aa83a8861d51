/** A list query. `limit` is the size of one page; a filter's `*` stands for any text (`name-filter.ts`). */
export interface ListQuery<SortKey extends string, Filter extends string> {
  readonly filters: Partial<Readonly<Record<Filter, string>>>;
  readonly sortKey: SortKey;
  readonly sortDir: 'asc' | 'desc';
  readonly limit: number;
  /** The id of the last entry seen. */
  readonly marker?: string;
  /** Whether the page says how many match on all pages. */
  readonly isCounted?: boolean;
}

/**
 * The lists of one resource.
 * @typeParam Within restricts the list to an owner or a zone
 */
export interface Lists<Thing, Query extends ListQuery<string, string>, Within = void> {
  /**
   * One page.
   * @param onBehalfOf the project of the caller: projects take turns with the reads that take long
   * @throws DomainError `marker_not_found`, `slow_sort_key`, `slow_read`, `too_many_reads`
   */
  list(query: Query, within: Within, onBehalfOf: string): Promise<Page<Thing>>;
}

/** How many records of past imports, exports and transfers are kept per project and kind. */
export const HISTORY_KEPT = 1000;

/** One page; `more` says whether another follows. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly more: boolean;
  /** The number of matches on all pages, if the query asks for it. */
  readonly total?: number;
  /** Since when it has been so at the latest, of what is found out now and then; null if it has never been. */
  readonly asOf?: string | null;
}
