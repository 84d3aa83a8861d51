/** A list query. `limit` is the size of one page; a filter's `*` stands for any text. */
export interface ListQuery<SortKey extends string, Filter extends string> {
  readonly filters: Partial<Readonly<Record<Filter, string>>>;
  readonly sortKey: SortKey;
  readonly sortDir: 'asc' | 'desc';
  readonly limit: number;
  /** The id of the last entry seen. */
  readonly marker?: string;
}

/**
 * The lists of one resource.
 * @typeParam Within restricts the list to an owner or a zone
 */
export interface Lists<Thing, Query extends ListQuery<string, string>, Within = void> {
  /** One page. Throws `marker_not_found`. */
  list(query: Query, within: Within): Promise<Page<Thing>>;
  /** The number of matches on all pages; read from the counters if they cover the query. */
  count(filters: Query['filters'], within: Within): Promise<number>;
}

/** How many records of past imports, exports and transfers are kept per project and kind. */
export const HISTORY_KEPT = 1000;

/** One page; `more` says whether another follows. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly more: boolean;
}
