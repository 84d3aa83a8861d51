/** Changes lists in one transaction, for commands. */

import { type LeftCounts, type RemovalProgress, START } from '../../model/blacklist-lists/store.ts';
import type { Revision } from '../../model/blacklists/store.ts';
import type { Clock } from '../../model/clock.ts';
import { DomainError } from '../../model/errors.ts';
import type { Stamp } from '../../model/events/stamp.ts';
import type { Transaction } from '../../model/store.ts';
import type { FileDraft } from '../blacklists/pattern-file.ts';
import { BATCH, entriesOf } from './incoming.ts';

/** Receives the number of patterns processed so far, and the total. */
export type ImportProgress = (done: number, total: number) => void;

/** @throws DomainError `lists_busy` if a change is staged */
export async function requireQuiet({ blacklistLists }: Pick<Transaction, 'blacklistLists'>): Promise<void> {
  if ((await blacklistLists.lock()).length > 0) throw new DomainError('lists_busy');
}

interface Storing {
  readonly drafts: readonly FileDraft[];
  readonly list: string;
  readonly mark: Revision;
  readonly stamp: Stamp;
  readonly clock: Clock;
  readonly progress: ImportProgress;
}

/**
 * Stores the entries of a file whose patterns are new.
 * @returns the number of new entries
 */
export function storeAll({ blacklistLists }: Transaction, storing: Storing): Promise<number> {
  const { drafts, list, mark, stamp, clock, progress } = storing;
  return blacklistLists.inBulk(drafts.length, async () => {
    let first = await blacklistLists.reserve(drafts.length);
    let added = 0;
    for (let start = 0; start < drafts.length; start += BATCH) {
      const some = entriesOf(drafts.slice(start, start + BATCH), clock);
      added += (await blacklistLists.stage({ task: 0, list, mark, first, eventId: stamp.id }, some)).added;
      first += some.length;
      progress(start + some.length, drafts.length);
    }
    return added;
  });
}

/** Releases the entries without the mark from the list, and removes those that nothing else holds. */
export async function releaseAll(
  { blacklistLists }: Transaction,
  list: string,
  mark: Revision,
): Promise<LeftCounts> {
  let left: LeftCounts = { released: 0, removed: 0 };
  for (let after = ''; ; ) {
    const more = await blacklistLists.release(list, mark, mark, { after, limit: BATCH });
    if (more.released === 0) break;
    left = { released: left.released + more.released, removed: left.removed + more.removed };
    after = more.last;
  }
  for (let place: RemovalProgress | undefined = START; place !== undefined; )
    place = await blacklistLists.sweep(mark, list, place, BATCH);
  return left;
}
