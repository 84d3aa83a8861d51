import type { RequestContext } from '../../model/context/request-context.ts';
import type { ZoneReads } from '../../model/zones/store.ts';
import { type AdoptionOutcome, thingOf } from './outcome.ts';

const QUERY = { filters: {}, sortKey: 'created_at', sortDir: 'asc', limit: 1000 } as const;

/** Streams the stored zones that are not in `seen`, a page at a time. */
export async function* zonesOnlyHere(
  zones: ZoneReads,
  context: RequestContext,
  seen: ReadonlySet<string>,
): AsyncGenerator<AdoptionOutcome, void> {
  for (let after = {}, more = true; more; ) {
    const page = await zones.list({ ...QUERY, ...after }, 'all projects', context.caller.projectId);
    for (const { id, name, type } of page.items.filter((zone) => !seen.has(zone.id))) {
      yield { thing: thingOf({ type }), id, name, outcome: 'only here' };
    }
    const marker = page.items.at(-1)?.id;
    after = marker === undefined ? {} : { marker };
    more = page.more;
  }
}
