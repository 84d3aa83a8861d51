export const CHANGE_FILTERS = ['name', 'type', 'since', 'until', 'door'] as const;
export type ChangeFilters = Partial<Readonly<Record<(typeof CHANGE_FILTERS)[number], string>>>;

/** One page of changes, newest first. */
export interface ChangesPageQuery {
  /** `name` may have wildcards; times are in the form of the store. */
  readonly filters: ChangeFilters;
  readonly limit: number;
  /** The id of the last change seen. */
  readonly marker?: string | undefined;
}
