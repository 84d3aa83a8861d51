import type { ComponentChildren } from 'preact';
import type { Fetched } from '../api/fetched.ts';
import { goTo, hrefOf, type Place, type Query } from '../place.ts';
import { ProblemNotice } from './notice.tsx';
import { Waiting } from './waiting.tsx';

/** Query parameters that filter nothing out. */
const UNFILTERING = ['marker', 'sort_key', 'sort_dir', 'all'];

export interface Column<Row> {
  readonly title: string;
  /** The API's sort key; undefined if the list cannot be sorted by this column. */
  readonly sortKey?: string;
  readonly kind?: 'number' | 'wide' | 'actions';
  /** Hidden on narrow screens. */
  readonly isSecondary?: true;
  readonly cell: (row: Row) => ComponentChildren;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Across all pages; undefined if not counted. */
  readonly total?: number | undefined;
  /** The marker of the next page, if there is one. */
  readonly next: string | undefined;
}

/** The filters, order and page of a list, all in the URL. */
export interface ListPlace {
  readonly query: Query;
  /** Changes filters, and returns to the first page. */
  filter(changes: Query): void;
}

const queryOf = ({ query }: Place): Query => Object.fromEntries(query);

export function listPlaceOf(place: Place): ListPlace {
  const query = queryOf(place);
  return {
    query,
    filter: (changes) => goTo(hrefOf(place.path, { ...query, marker: undefined, ...changes }), true),
  };
}

/** The marker in the link to the next page. */
export function markerIn(links: { readonly next?: string | undefined }): string | undefined {
  if (links.next === undefined) return undefined;
  return new URL(links.next).searchParams.get('marker') ?? undefined;
}

function SortButton<Row>({ column, place }: { readonly column: Column<Row>; readonly place: Place }) {
  const { sort_key, sort_dir } = queryOf(place);
  const isBy = sort_key === column.sortKey;
  const next = isBy && sort_dir !== 'desc' ? 'desc' : 'asc';
  const href = hrefOf(place.path, {
    ...queryOf(place),
    marker: undefined,
    sort_key: column.sortKey,
    sort_dir: next,
  });
  const arrow = sort_dir === 'desc' ? '↓' : '↑';
  return (
    <a class="sort" href={href}>
      {column.title}
      {isBy && <span aria-hidden="true">{arrow}</span>}
    </a>
  );
}

function sortedAs<Row>({ sortKey }: Column<Row>, place: Place): 'ascending' | 'descending' | undefined {
  if (sortKey === undefined || place.query.get('sort_key') !== sortKey) return undefined;
  return place.query.get('sort_dir') === 'desc' ? 'descending' : 'ascending';
}

const classOf = ({ kind, isSecondary }: Column<never>): string =>
  [kind ?? '', isSecondary ? 'secondary' : ''].join(' ').trim();

function Pages({ place, page }: { readonly place: Place; readonly page: Page<unknown> }) {
  const isFirst = !place.query.has('marker');
  if (isFirst && page.next === undefined) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {!isFirst && <a href={hrefOf(place.path, { ...queryOf(place), marker: undefined })}>First page</a>}
      {page.next !== undefined && (
        <a href={hrefOf(place.path, { ...queryOf(place), marker: page.next })}>Next page</a>
      )}
    </nav>
  );
}

function emptyText(things: string, { query }: Place): string {
  const isFiltered = [...query.keys()].some((key) => !UNFILTERING.includes(key));
  return isFiltered ? `No ${things} match.` : `No ${things} yet.`;
}

/** A paged list of the API. */
export function Table<Row extends object>({
  caption,
  columns,
  asked,
  place,
  keyOf,
  things,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly asked: Pick<Fetched<Page<Row>>, 'data' | 'problem' | 'isSlow'>;
  readonly place: Place;
  readonly keyOf: (row: Row) => string;
  /** Plural name of the rows for the empty list, such as "zones". */
  readonly things: string;
}) {
  const { data, problem, isSlow } = asked;
  return (
    <div class="list" aria-busy={isSlow}>
      <ProblemNotice problem={problem} />
      <Waiting isSlow={isSlow} />
      {data !== undefined && data.rows.length === 0 && <div class="empty">{emptyText(things, place)}</div>}
      {data !== undefined && data.rows.length > 0 && (
        <div class="scrolled">
          <table>
            <caption class="unseen">{caption}</caption>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th
                    key={column.title}
                    scope="col"
                    class={classOf(column)}
                    aria-sort={sortedAs(column, place)}
                  >
                    {column.sortKey === undefined ? (
                      column.title
                    ) : (
                      <SortButton column={column} place={place} />
                    )}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.rows.map((row) => (
                <tr key={keyOf(row)}>
                  {columns.map((column) => (
                    <td key={column.title} class={classOf(column)}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data !== undefined && <Pages place={place} page={data} />}
    </div>
  );
}
