import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { pipelined } from '../../runtime/pipelined.ts';
import { limitTo } from '../database/limit.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import type { KeysetPosition } from './list-order.ts';
import { type AnyQuery, type Listing, orderBy, type Selection, selectionsOf, sourceOf } from './listing.ts';
import type { WithinSlots } from './within-slots.ts';

interface PageValues<Within> {
  readonly within: Within;
  readonly after: KeysetPosition | undefined;
}

type PageStatement<Within> = (db: Kysely<Schema>, values: PageValues<Within>) => CompiledQuery<unknown>;

/**
 * Reads rows without filters, in the order of an index, by statements that are compiled once: one for the rows of the
 * table, one for those found through another table.
 */
export function shortPagesOf<Query extends AnyQuery, Within, Row extends { id: string }>(
  db: Kysely<Schema>,
  listing: Listing<Query, Within, Row, unknown>,
  { kindOf, slots }: WithinSlots<Within>,
) {
  const { columns } = sourceOf(listing);
  const { joinedLast, matching } = selectionsOf(listing);
  const statements = new Map<string, readonly PageStatement<Within>[]>();

  const statementOf = (query: Selection<Query>, limit: number, part: number): PageStatement<Within> =>
    prepared<PageValues<Within>>((database, slot, { within: first, after }) => {
      const order = orderBy(listing, query);
      const within = slots(first, (read) => slot((values) => read(values.within)));
      const position = after?.map((_, place) => slot((values) => values.after![place]));
      const beyond = position === undefined ? [] : [order.after(position)];
      const rows = matching({ db: database, isLong: false }, {}, within, ...beyond)[part]!;
      const selected =
        part === 0
          ? sql<Row>`select ${columns} from ${rows} order by ${order.clause} ${limitTo(limit)}`
          : joinedLast(order, [rows], limit);
      return listing.texts === undefined ? selected : listing.texts.select(database, selected);
    });

  function statementsFor(query: Selection<Query>, limit: number, { within, after }: PageValues<Within>) {
    const kind = [kindOf(within), query.sortKey, query.sortDir, limit, after?.length].join(' ');
    let known = statements.get(kind);
    if (known === undefined) {
      const parts = listing.also?.(within) === undefined ? [0] : [0, 1];
      known = parts.map((part) => statementOf(query, limit, part));
      statements.set(kind, known);
    }
    return known;
  }

  /** @param limit maximum number of rows */
  return async (
    query: Selection<Query>,
    limit: number,
    values: PageValues<Within>,
  ): Promise<readonly Row[]> => {
    const parts = statementsFor(query, limit, values).map((statement) =>
      db.executeQuery(statement(db, values)),
    );
    const found = (await pipelined(...parts)).map(({ rows }) =>
      listing.texts === undefined ? (rows as readonly Row[]) : listing.texts.read(rows as never),
    );
    const [own, others = []] = found;
    if (others.length === 0) return own!;
    return orderBy(listing, query)
      .sorted([...own!, ...others])
      .slice(0, limit);
  };
}
