import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { DomainError } from '../domain/errors.ts';

/** A position in a list: the sort key and the id of the last entry seen. */
export interface Position {
  readonly key: string | number;
  readonly id: string;
}

/** Continues a list after a position, in one direction; equal keys follow by id. Costs the same on every page. */
export function paged<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  by: {
    column: string | RawBuilder<unknown>;
    id?: string;
    direction: 'asc' | 'desc';
    after?: Position | undefined;
  },
): SelectQueryBuilder<DB, TB, O> {
  const key = typeof by.column === 'string' ? sql.ref(by.column) : by.column;
  const { id: idColumn = 'id' } = by;
  const id = sql.ref(idColumn);
  const ordered = query
    .orderBy(key, by.direction)
    .$if(by.column !== idColumn, (q) => q.orderBy(id, by.direction) as typeof q);
  if (by.after === undefined) return ordered;
  const beyond = by.direction === 'asc' ? sql`>` : sql`<`;
  return ordered.where(sql<boolean>`(${key}, ${id}) ${beyond} (${by.after.key}, ${by.after.id})`);
}

/** The condition that a text column equals the text, where `*` stands for any text and all else for itself. */
export function matchesFilter(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  if (!text.includes('*')) return sql<boolean>`${column} = ${text}`;
  const like = text.replace(/[\\%_]/g, '\\$&').replace(/\*+/g, '%');
  return sql<boolean>`${column} like ${like} escape '\\'`;
}

/** The position of a marker that was looked up. */
export function requireMarker(row: Position | undefined): Position {
  if (row === undefined) throw new DomainError('marker_not_found');
  return row;
}

/** One page out of a result that was asked for one row more than the page holds. */
export function cutPage<T>(rows: readonly T[], limit: number): { items: readonly T[]; more: boolean } {
  return { items: rows.slice(0, limit), more: rows.length > limit };
}
