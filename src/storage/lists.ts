import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { DomainError } from '../domain/errors.ts';

/** A position in a list: what the last entry seen has in the columns that the list is ordered by. */
export type Position = readonly (string | number)[];

/** Where an entry stands, by the columns of an order. */
export function positionOf<C extends string>(
  row: Readonly<Record<C, string | number>>,
  columns: readonly C[],
) {
  return columns.map((column) => row[column]);
}

/**
 * Continues a list after a position, in one direction. Costs the same on every page.
 * @param by.columns the last of them tells any two rows apart
 */
export function paged<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  by: {
    columns: readonly (string | RawBuilder<unknown>)[];
    direction: 'asc' | 'desc';
    after?: Position | undefined;
  },
): SelectQueryBuilder<DB, TB, O> {
  const columns = by.columns.map((column) => (typeof column === 'string' ? sql.ref(column) : column));
  const ordered = columns.reduce((q, column) => q.orderBy(column, by.direction), query);
  if (by.after === undefined) return ordered;
  const beyond = by.direction === 'asc' ? sql`>` : sql`<`;
  return ordered.where(sql<boolean>`(${sql.join(columns)}) ${beyond} (${sql.join(by.after)})`);
}

/** The condition that a text column equals the text, where `*` stands for any text and all else for itself. */
export function matchesFilter(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  if (!text.includes('*')) return sql<boolean>`${column} = ${text}`;
  const like = text.replace(/[\\%_]/g, '\\$&').replace(/\*+/g, '%');
  return sql<boolean>`${column} like ${like} escape '\\'`;
}

/** The entry that a marker names. */
export function requireMarker<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new DomainError('marker_not_found');
  return row;
}

/** One page out of a result that was asked for one row more than the page holds. */
export function cutPage<T>(rows: readonly T[], limit: number): { items: readonly T[]; more: boolean } {
  return { items: rows.slice(0, limit), more: rows.length > limit };
}
