/** What a list asks for. `limit` is the size of one page; a filter's `*` stands for any text. */
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
 * @typeParam Within whose things are listed, where not all are
 */
export interface Lists<Thing, Query extends ListQuery<string, string>, Within = void> {
  /** One page. Throws `marker_not_found`. */
  list(query: Query, within: Within): Promise<Page<Thing>>;
  /** How many match on all pages; from the counters where nothing is filtered and they tell. */
  count(filters: Query['filters'], within: Within): Promise<number>;
}

/** How many records of what was done are kept of one project and kind: imports, exports, transfers. */
export const HISTORY_KEPT = 1000;

/** One page; `more` says whether another follows. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly more: boolean;
}
