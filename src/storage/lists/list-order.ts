/** The order of a list, and the position of a row in it. */
import { type RawBuilder, sql } from 'kysely';

type SortValue = string | number;

/** Each row carries its sort values, because expressions cannot be repeated outside their query. */
const ORDER_COLUMN = 'sorted_by_';

/** A column, or an expression with its value in a row. It is never null. */
export type Ordering<Row> =
  | (keyof Row & string)
  | { expression: RawBuilder<unknown>; of(row: Row): SortValue };

/** The start of a page: after the row with these sort values. */
export type KeysetPosition = readonly SortValue[];

function compareValues(one: SortValue, other: SortValue): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/**
 * One order of a list.
 * @param sortedBy the columns of the sort key; the id is added, so that no two rows are equal
 */
export function orderOf<Row extends { id: string }>(
  table: string,
  sortedBy: readonly Ordering<Row>[],
  sortDir: 'asc' | 'desc',
) {
  const by: readonly Ordering<Row>[] = [...sortedBy, 'id'];
  const columns = by.map((one) => (typeof one === 'string' ? sql.ref(`${table}.${one}`) : one.expression));
  const direction = sql.raw(sortDir);
  const beyond = sql.raw(sortDir === 'asc' ? '>' : '<');
  const positionOf = (row: Row): KeysetPosition =>
    by.map((one) => (typeof one === 'string' ? (row[one] as SortValue) : one.of(row)));
  const carried = columns.map((_, place) => sql.ref(`${ORDER_COLUMN}${place}`));
  return {
    clause: sql.join(columns.map((column) => sql`${column} ${direction}`)),
    /** The sort values as result columns, and the order by them. */
    carried: sql.join(
      columns.map((column, place) => sql`${column} as ${sql.ref(`${ORDER_COLUMN}${place}`)}`),
    ),
    carriedClause: sql.join(carried.map((column) => sql`${column} ${direction}`)),
    after: (position: KeysetPosition): RawBuilder<boolean> =>
      sql`(${sql.join(columns)}) ${beyond} (${sql.join(position)})`,
    positionOf,
    /** Sorts rows that are already in memory. */
    sorted(rows: readonly Row[]): readonly Row[] {
      if (rows.length < 2) return rows;
      const placed = rows.map((row) => ({ row, position: positionOf(row) }));
      const sign = sortDir === 'asc' ? 1 : -1;
      placed.sort((one, other) => {
        const at = one.position.findIndex((value, place) => value !== other.position[place]);
        return at === -1 ? 0 : sign * compareValues(one.position[at]!, other.position[at]!);
      });
      return placed.map(({ row }) => row);
    },
  };
}

/** What a statement needs of an order. */
export type OrderClauses = Pick<ReturnType<typeof orderOf>, 'carried' | 'carriedClause' | 'clause'>;
