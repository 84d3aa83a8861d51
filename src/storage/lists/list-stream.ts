import type { LongReads } from '../database/database.ts';
import type { KeysetPosition } from './list-order.ts';
import { type AnyQuery, type Listing, orderBy, type Selection, selectionsOf } from './listing.ts';

/** Returns the function that streams all matches of a list in batches. */
export function streamOf<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  longReads: LongReads,
  listing: Listing<Query, Within, Row, Thing>,
) {
  const { selecting } = selectionsOf(listing);

  return async function* stream(
    query: Selection<Query>,
    within: Within,
    onBehalfOf: string,
    batch: number,
  ): AsyncGenerator<readonly Thing[], void> {
    const { positionOf } = orderBy(listing, query);
    const reading = { db: longReads(onBehalfOf), isLong: true };
    let after: KeysetPosition | undefined;
    for (;;) {
      const { rows } = await selecting(reading, query, within, batch, after).execute(reading.db);
      yield rows.map(listing.fromRow);
      const last = rows.at(-1);
      if (last === undefined || rows.length < batch) return;
      after = positionOf(last);
    }
  };
}
