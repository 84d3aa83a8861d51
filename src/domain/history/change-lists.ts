/** Lists the changes of a zone. */
import { DomainError } from '../../model/errors.ts';
import { minIdAt } from '../../model/events/event-id.ts';
import type { ChangeActor } from '../../model/history/change-source.ts';
import type { ChangesPageQuery } from '../../model/history/history-filters.ts';
import type { PastChange, RecordsetEffect } from '../../model/history/past-change.ts';
import type { ChangesQuery, EffectsOfChange } from '../../model/history/store.ts';
import type { Page } from '../../model/lists.ts';
import type { Store } from '../../model/store.ts';
import type { Zone, ZoneStatus } from '../../model/zones/zone.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { firstMatch, type RecordsetMatch } from './change-matches.ts';
import { changeStatus } from './change-status.ts';
import { type HistoryReader, visibleChanges, visibleFrom } from './kept-changes.ts';

/** A change as a caller sees it. */
export interface ShownChange extends PastChange {
  readonly status: ZoneStatus;
  readonly actor: ChangeActor & {
    /** True if the caller may see who it was. */
    readonly namesCaller: boolean;
  };
  /** What it did to recordsets, as far as asked for. */
  readonly recordsets?: readonly RecordsetEffect[];
}

/** A change, with what it did to the recordset asked for, if any was. */
type FoundChange = PastChange & { readonly match?: RecordsetEffect };
type Bounds = Omit<ChangesQuery, 'zoneId' | 'limit'>;

function laterOf(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

export function changeLists({ store }: { readonly store: Pick<Store, 'history' | 'publications'> }) {
  /** Returns the function that shows the changes of a zone to a reader. */
  async function shower({ id }: Zone, { projectId, seesAll }: HistoryReader) {
    const order = await store.publications.find(id);
    return (change: PastChange, recordsets: readonly RecordsetEffect[] | undefined): ShownChange => {
      const namesCaller = seesAll || change.actor.callerProjectId === projectId;
      const shown = {
        ...change,
        status: changeStatus(change, order),
        actor: { ...change.actor, namesCaller },
      };
      return recordsets === undefined ? shown : { ...shown, recordsets };
    };
  }

  /** A change that the reader may see. */
  async function find(zone: Zone, reader: HistoryReader, id: string): Promise<EffectsOfChange | undefined> {
    const [change, from = ''] = await Promise.all([
      store.history.find(zone.id, id),
      visibleFrom(store.history, zone, reader),
    ]);
    if (reader.seesAll) return change;
    return change?.projectId === zone.projectId && change.id >= from ? change : undefined;
  }

  /** The id below which a page starts: its marker, or the end of the time asked for. */
  async function startOf(zone: Zone, reader: HistoryReader, query: ChangesPageQuery) {
    const { marker, filters } = query;
    if (marker === undefined) return filters.until && minIdAt(filters.until);
    if ((await find(zone, reader, marker)) === undefined) throw new DomainError('marker_not_found');
    return marker;
  }

  /** The changes that touched certain recordsets, each with one of them. */
  async function* matching(
    zone: Zone,
    reader: HistoryReader,
    match: RecordsetMatch,
    bounds: Bounds,
  ): AsyncGenerator<FoundChange> {
    const turns = new TimeSlices(reader.projectId);
    const query = { ...bounds, mentions: match.mentions };
    for await (const change of visibleChanges(store.history.changesWithEffects, zone, reader, query)) {
      const found = await firstMatch(change, match, turns);
      if (found !== undefined) yield { ...change, match: found };
    }
  }

  async function headPage(query: ChangesQuery, onBehalfOf: string): Promise<Page<PastChange>> {
    const items = await store.history.changes(query, onBehalfOf);
    return { items, more: items.length === query.limit };
  }

  /** A page of changes, newest first. */
  async function page(
    zone: Zone,
    reader: HistoryReader,
    query: ChangesPageQuery,
    match: RecordsetMatch | undefined,
  ): Promise<Page<ShownChange>> {
    const { filters, limit } = query;
    const below = await startOf(zone, reader, query);
    const since = filters.since && minIdAt(filters.since);
    const from = laterOf(since, await visibleFrom(store.history, zone, reader));
    const bounds = { below, from, door: filters.door };
    const found: AsyncGenerator<FoundChange> =
      match === undefined
        ? visibleChanges(headPage, zone, reader, { ...bounds, limit: limit + 1 })
        : matching(zone, reader, match, bounds);
    const show = await shower(zone, reader);
    const items: ShownChange[] = [];
    for await (const { match: effect, ...change } of found) {
      items.push(show(change, effect && [effect]));
      if (items.length > limit) break;
    }
    return { items: items.slice(0, limit), more: items.length > limit };
  }

  return { shower, find, page };
}
