/** Predicts what publishing staged patterns would change. */
import type { Fqdn } from '../../dns/names.ts';
import type { Forecast, HeldTask } from '../../model/blacklist-lists/list-task.ts';
import { formsOf } from '../../model/blacklists/name-index.ts';
import type { Clock } from '../../model/clock.ts';
import { AT_THE_START } from '../../model/previews/preview.ts';
import type { Store } from '../../model/store.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { PatternFilter } from '../blacklists/many-names.ts';
import { BATCH } from './incoming.ts';

/** Maximum number of patterns and zones listed in a dry run. */
const MAX_SHOWN = 100;
/** Zones read at a time. */
const ZONES = 500;

export interface ForecastDeps {
  readonly store: Pick<Store, 'blacklistLists' | 'previews'>;
  readonly clock: Clock;
  /** Creates an empty index. */
  readonly newFilter: () => PatternFilter;
  /** Aborts the work. */
  readonly stopping: AbortSignal;
}

async function firstOf({ store }: ForecastDeps, held: HeldTask, which: 'arrives' | 'leaves') {
  return (await store.blacklistLists.staged(held, which, 0, MAX_SHOWN)).map(({ pattern }) => pattern);
}

/** Adds the patterns that would be added to an empty index. */
async function fill({ store }: ForecastDeps, held: HeldTask, filter: PatternFilter): Promise<void> {
  for (let after = 0; ; ) {
    const batch = await store.blacklistLists.staged(held, 'arrives', after, BATCH);
    for (const { number, pattern } of batch)
      filter.add(number, pattern, { enforced: true, conditional: false });
    if (batch.length < BATCH) return;
    after = batch.at(-1)!.number;
  }
}

/** Streams the names of existing zones, a page at a time, with no transaction open in between. */
async function* zoneNames(
  { store, clock, stopping }: ForecastDeps,
  projectId: string,
): AsyncGenerator<Fqdn, void> {
  const createdBy = clock.now();
  for (let position = AT_THE_START; ; ) {
    stopping.throwIfAborted();
    const page = await store.previews.existing(position, createdBy, ZONES, projectId);
    for (const { name } of page) yield name;
    const last = page.at(-1);
    if (last === undefined) return;
    position = { createdAt: last.createdAt, id: last.id };
  }
}

/** The existing zones that a new pattern would match. */
async function hitZones(deps: ForecastDeps, held: HeldTask, projectId: string) {
  const filter = deps.newFilter();
  const turns = new TimeSlices();
  const zones: string[] = [];
  let zoneCount = 0;
  try {
    await fill(deps, held, filter);
    for await (const name of zoneNames(deps, projectId)) {
      const isHit = (await filter.check(formsOf(name), projectId)).kind !== 'free';
      if (isHit) zoneCount += 1;
      if (isHit && zones.length < MAX_SHOWN) zones.push(name);
      if (turns.isOver) await turns.next();
    }
  } finally {
    await filter.close();
  }
  return { zones, zoneCount };
}

/** What a task would change, once it has staged its whole file. */
export async function forecastOf(deps: ForecastDeps, held: HeldTask, projectId: string): Promise<Forecast> {
  const coming = await firstOf(deps, held, 'arrives');
  const going = await firstOf(deps, held, 'leaves');
  return { coming, going, ...(await hitZones(deps, held, projectId)) };
}
