/** The use cases of the history of zones. */
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import { effectsIn } from '../../model/history/effects-text.ts';
import type { ChangesPageQuery } from '../../model/history/history-filters.ts';
import type { RecordsetEffect } from '../../model/history/past-change.ts';
import type { EffectsOfChange } from '../../model/history/store.ts';
import type { Page } from '../../model/lists.ts';
import type { Limits } from '../../model/quotas/quota.ts';
import type { Store } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { AccessControl } from '../access/access-control.ts';
import { getZone, requireStaying } from '../zones/visible-zone.ts';
import { changeLists, type ShownChange } from './change-lists.ts';
import { matchOf, matchOfId } from './change-matches.ts';
import { changeNotFound, historyReader } from './kept-changes.ts';
import { exportLimitOf, type PastContents, readPastContents } from './past-contents.ts';
import { differenceBetween, type HistoryWalk, type PastMoment, pastZone } from './past-zone.ts';
import { readUnchanged } from './unchanged-zone.ts';

export interface ZoneHistoryDeps {
  readonly store: Store;
  readonly access: AccessControl;
  /** Limits of projects without their own. */
  readonly quotas: Limits;
}

/** A page of the effects of one change. */
export interface EffectsPageQuery {
  readonly limit: number;
  /** The id of the last recordset seen. */
  readonly marker?: string | undefined;
}

/** The effects of a page, and whether more follow. */
async function effectsPage(
  { effects, zoneId }: EffectsOfChange,
  { limit, marker }: EffectsPageQuery,
  turns: TimeSlices,
): Promise<Page<RecordsetEffect>> {
  const items: RecordsetEffect[] = [];
  let isBehind = marker === undefined;
  for (const effect of effectsIn(effects ?? '', zoneId)) {
    if (isBehind) items.push(effect);
    isBehind ||= (effect.after ?? effect.before)!.id === marker;
    if (items.length > limit) break;
    if (turns.isOver) await turns.next();
  }
  if (!isBehind) throw new DomainError('marker_not_found');
  return { items: items.slice(0, limit), more: items.length > limit };
}

export function zoneHistoryUseCases({ store, access, quotas }: ZoneHistoryDeps) {
  const lists = changeLists({ store });
  const readerOf = (context: RequestContext) => historyReader(access, context);
  const getOwn = (context: RequestContext, zoneId: string): Promise<Zone> =>
    getZone(store, access, context, 'find_zone_changes', zoneId);

  function unchanged<T>(
    context: RequestContext,
    zoneId: string,
    read: (zone: Zone, walk: HistoryWalk) => Promise<T>,
  ): Promise<T> {
    const reader = readerOf(context);
    const walk = { reads: store.history, reader, turns: new TimeSlices(reader.projectId) };
    return readUnchanged(
      async () => requireStaying(await getOwn(context, zoneId)),
      (zone) => read(zone, walk),
    );
  }

  return {
    /** The changes of a zone, newest first. */
    async list(context: RequestContext, zoneId: string, query: ChangesPageQuery): Promise<Page<ShownChange>> {
      const zone = await getOwn(context, zoneId);
      const page = await lists.page(zone, readerOf(context), query, matchOf(query.filters));
      return { ...page, items: page.items.map(({ recordsets: _, ...change }) => change) };
    },

    /** The changes of a recordset that exists, newest first, with what each did to it. */
    async ofRecordset(
      context: RequestContext,
      recordsetId: string,
      query: ChangesPageQuery,
    ): Promise<Page<ShownChange>> {
      const zoneId = await store.recordsets.zoneOf(recordsetId, context.scope);
      if (zoneId === undefined) throw new DomainError('recordset_not_found');
      return lists.page(await getOwn(context, zoneId), readerOf(context), query, matchOfId(recordsetId));
    },

    /** A change, with a page of what it did to recordsets. */
    async get(
      context: RequestContext,
      zoneId: string,
      id: string,
      query: EffectsPageQuery,
    ): Promise<{ readonly change: ShownChange; readonly more: boolean }> {
      const zone = await getOwn(context, zoneId);
      const reader = readerOf(context);
      const change = await lists.find(zone, reader, id);
      if (change === undefined) throw changeNotFound();
      const { items, more } = await effectsPage(change, query, new TimeSlices(reader.projectId));
      const show = await lists.shower(zone, reader);
      return { change: show(change, change.isWhole ? items : undefined), more };
    },

    /** What led from one serial to another. */
    difference: (
      context: RequestContext,
      zoneId: string,
      serials: { readonly from: number; readonly to: number },
    ): Promise<readonly RecordsetEffect[]> =>
      unchanged(context, zoneId, (zone, walk) => differenceBetween(zone, serials, walk)),

    /** What a zone was. */
    contentsAt: (context: RequestContext, zoneId: string, moment: PastMoment): Promise<PastContents> =>
      unchanged(context, zoneId, async (zone, walk) => {
        const limit = await exportLimitOf({ store, quotas }, zone);
        const past = await pastZone(zone, moment, walk);
        return readPastContents({ zone, past, limit }, store.recordsets, walk.turns);
      }),
  };
}

export type ZoneHistoryUseCases = ReturnType<typeof zoneHistoryUseCases>;
