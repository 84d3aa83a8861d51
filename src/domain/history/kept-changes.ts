/** Which changes of a zone a caller may see. */
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { PastChange } from '../../model/history/past-change.ts';
import type { ChangesQuery } from '../../model/history/store.ts';
import type { Page } from '../../model/lists.ts';
import type { Store } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { AccessControl } from '../access/access-control.ts';

/** The caller as a reader of the history of a zone. */
export interface HistoryReader {
  /** The project that reads are for. */
  readonly projectId: string;
  /** True for administrators, who see every change and every actor. */
  readonly seesAll: boolean;
}

/** Changes of a page. */
const PAGE = 100;

export function historyReader(access: AccessControl, context: RequestContext): HistoryReader {
  return { projectId: context.projectId, seesAll: access.allows(context, 'find_all_events', {}) };
}

export function changeNotFound(): DomainError {
  return new DomainError('change_not_found');
}

function isHandover({ before, after }: PastChange): boolean {
  return before.projectId !== after.projectId;
}

/** The id from which on a reader may see the changes of a zone; undefined for all of them. */
export async function visibleFrom(
  history: Pick<Store['history'], 'lastHandover'>,
  { id }: Zone,
  { seesAll }: HistoryReader,
): Promise<string | undefined> {
  return seesAll ? undefined : history.lastHandover(id);
}

type ReadChanges<Change> = (query: ChangesQuery, onBehalfOf: string) => Promise<Page<Change>>;

async function* allChanges<Change extends PastChange>(
  read: ReadChanges<Change>,
  query: ChangesQuery,
  onBehalfOf: string,
): AsyncGenerator<Change, void> {
  for (let { below } = query; ; ) {
    const { items, more } = await read({ ...query, below }, onBehalfOf);
    yield* items;
    if (!more) return;
    below = items.at(-1)!.id;
  }
}

/**
 * The changes that a reader may see, newest first: an owner sees those since it got the zone, with the one by which it
 * got it.
 * @param read reads one page
 */
export async function* visibleChanges<Change extends PastChange>(
  read: ReadChanges<Change>,
  zone: Zone,
  { projectId, seesAll }: HistoryReader,
  query: Omit<ChangesQuery, 'zoneId' | 'limit'> & { readonly limit?: number } = {},
): AsyncGenerator<Change, void> {
  const changes = allChanges(read, { limit: PAGE, ...query, zoneId: zone.id }, projectId);
  for await (const change of changes) {
    if (!seesAll && change.projectId !== zone.projectId) return;
    yield change;
    if (!seesAll && isHandover(change)) return;
  }
}
