import { DomainError } from '../../model/errors.ts';
import type { ListQuery } from '../../model/lists.ts';
import { exactFiltersIn } from '../../model/name-filter.ts';
import { FairBudget } from '../../runtime/fair-budget.ts';
import { EdgeError } from './errors.ts';
import type { ApiRequest } from './route.ts';

/**
 * Limits on pages being read or written. Each is held in memory, up to a few MiB twice, while other requests run. Long
 * reads can take seconds and must not delay short ones.
 */
const pagesInMemory = {
  ofShortReads: new FairBudget({
    amount: 16,
    patienceMs: 60_000,
    maxWaiting: { inAll: 10_000, ofOwner: 10_000 },
  }),
  ofLongReads: new FairBudget({
    amount: 16,
    patienceMs: 10_000,
    maxWaiting: { inAll: 1000, ofOwner: 100 },
  }),
};
/**
 * Pages with more entries are long reads, and so are pages that are filtered, except by an exact name, or not in order
 * of creation.
 */
const MAX_OF_SHORT_READ = 100;

function isShortRead({ limit, filters, sortKey, marker }: ListQuery<string, string>): boolean {
  if (marker === undefined && exactFiltersIn(filters) !== undefined) return true;
  return limit <= MAX_OF_SHORT_READ && Object.keys(filters).length === 0 && sortKey === 'created_at';
}

/** @throws DomainError `too_many_reads` if no further page fits */
export async function withCapacity<T>(
  query: ListQuery<string, string>,
  { context: { projectId }, isGone }: Pick<ApiRequest<unknown, unknown>, 'context' | 'isGone'>,
  work: () => Promise<T>,
): Promise<T> {
  const pages = isShortRead(query) ? pagesInMemory.ofShortReads : pagesInMemory.ofLongReads;
  const release = await pages.take(projectId, 1);
  if (release === undefined) throw new DomainError('too_many_reads');
  try {
    if (isGone()) throw new EdgeError('bad_request');
    return await work();
  } finally {
    release();
  }
}
