/** Lists what the scope of a credential lets its caller read. */

import { DomainError } from '../../model/errors.ts';
import type { Lists, Page } from '../../model/lists.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { AnyQuery } from './listing.ts';

/** Rows that are read at once, and that are narrowed before others may have a turn. */
const ROWS = 500;
const ROWS_OF_A_TURN = 50;
/** How long the reads for one list may take, in milliseconds. */
const MAX_MS = 10_000;

/** Returns those of some entries that may be read. */
export type Narrowing<Thing> = (things: readonly Thing[]) => readonly Thing[] | Promise<readonly Thing[]>;

export interface NarrowedBy<Thing, Within> {
  /** Undefined if nothing narrows the list. */
  narrowingOf(within: Within): Narrowing<Thing> | undefined;
  /** Whether an entry with this id may be read. */
  has(id: string, within: Within): Promise<boolean>;
}

/** An operation that ends when it takes too long. */
function deadline(): () => void {
  const end = performance.now() + MAX_MS;
  return () => {
    if (performance.now() > end) throw new DomainError('slow_read');
  };
}

/**
 * Narrows lists. No index knows what a scope allows, so it reads rows until the page is full; a count reads all of
 * them.
 * @returns lists that also throw `slow_read` after 10 s
 */
export function narrowedLists<Thing extends { readonly id: string }, Query extends AnyQuery, Within>(
  list: Lists<Thing, Query, Within>['list'],
  { narrowingOf, has }: NarrowedBy<Thing, Within>,
): Lists<Thing, Query, Within>['list'] {
  /** Narrows a page, and yields to other requests: to compare a row with long patterns takes a tenth of a millisecond. */
  async function narrowed(
    things: readonly Thing[],
    narrow: Narrowing<Thing>,
    turns: TimeSlices,
  ): Promise<readonly Thing[]> {
    const kept: Thing[] = [];
    for (let start = 0; start < things.length; start += ROWS_OF_A_TURN) {
      kept.push(...(await narrow(things.slice(start, start + ROWS_OF_A_TURN))));
      if (turns.isOver) await turns.next();
    }
    return kept;
  }

  /** The page after some rows, of which others may have deleted the last ones meanwhile. */
  async function pageAfter(
    rows: readonly Thing[],
    query: Query,
    within: Within,
    onBehalfOf: string,
  ): Promise<Page<Thing>> {
    for (const { id: marker } of rows.toReversed()) {
      try {
        return await list({ ...query, marker }, within, onBehalfOf);
      } catch (error) {
        if (!(error instanceof DomainError) || error.kind !== 'marker_not_found') throw error;
      }
    }
    throw new DomainError('slow_read');
  }

  async function* pages(
    query: Query,
    within: Within,
    onBehalfOf: string,
    narrow: Narrowing<Thing>,
    requireTime: () => void,
  ): AsyncGenerator<readonly Thing[], void> {
    const turns = new TimeSlices(onBehalfOf);
    const ofRows = { ...query, limit: ROWS, isCounted: false };
    let page = await list(ofRows, within, onBehalfOf);
    for (;;) {
      yield await narrowed(page.items, narrow, turns);
      if (!page.more) return;
      requireTime();
      page = await pageAfter(page.items, ofRows, within, onBehalfOf);
    }
  }

  async function pageOf(source: AsyncIterable<readonly Thing[]>, limit: number): Promise<Page<Thing>> {
    const found: Thing[] = [];
    for await (const things of source) {
      found.push(...things);
      if (found.length > limit) break;
    }
    return { items: found.slice(0, limit), more: found.length > limit };
  }

  async function countOf(source: AsyncIterable<readonly Thing[]>): Promise<number> {
    let total = 0;
    for await (const { length } of source) total += length;
    return total;
  }

  return async (query, within, onBehalfOf) => {
    const narrow = narrowingOf(within);
    if (narrow === undefined) return list(query, within, onBehalfOf);
    const { marker, limit, isCounted, ...whole } = query;
    if (marker !== undefined && !(await has(marker, within))) throw new DomainError('marker_not_found');
    const requireTime = deadline();
    const page = await pageOf(pages(query, within, onBehalfOf, narrow, requireTime), limit);
    if (isCounted !== true) return page;
    if (marker === undefined && !page.more) return { ...page, total: page.items.length };
    return {
      ...page,
      total: await countOf(pages({ ...whole, limit } as Query, within, onBehalfOf, narrow, requireTime)),
    };
  };
}
