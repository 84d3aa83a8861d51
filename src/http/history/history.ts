import { canonicalFilter } from '../../dns/names.ts';
import { canonicalType } from '../../dns/record-types.ts';
import type { ShownChange } from '../../domain/history/change-lists.ts';
import type { ZoneHistoryUseCases } from '../../domain/history/zone-history.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { CHANGE_FILTERS } from '../../model/history/history-filters.ts';
import type { RecordsetEffect } from '../../model/history/past-change.ts';
import type { ListQuery, Page } from '../../model/lists.ts';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';
import { EdgeError } from '../edge/errors.ts';
import { listLinks, pageLinks } from '../edge/links.ts';
import { withCapacity } from '../edge/pages-in-memory.ts';
import { responseSchema } from '../edge/response-schema.ts';
import { responsesWith } from '../edge/responses.ts';
import { actingProject, type Params, type Route, route } from '../edge/route.ts';
import { exactTimeOf } from '../edge/time-parameter.ts';
import { LIST_REFUSALS, listParameters, type PageLimits, readListQuery } from '../lists/list-query.ts';
import { changeToWire, effectToWire, shownChange, shownChangePage, shownEffect } from './change-answers.ts';
import { readOnce, readSerial, SERIAL } from './serial-parameters.ts';

type ChangeFilter = (typeof CHANGE_FILTERS)[number];
type HistoryPageQuery = ListQuery<'at', ChangeFilter>;

const NEWEST_FIRST = { sortKeys: ['at'], descendingFirst: ['at'] } as const;
const CANONICAL: Readonly<Partial<Record<ChangeFilter, (text: string) => string>>> = {
  name: canonicalFilter,
  type: canonicalType,
  since: exactTimeOf,
  until: exactTimeOf,
};
const NOTES = {
  name: 'Only changes of recordsets with this name; `*` matches any text, `\\\\*` is a literal star.',
  type: 'Only changes of recordsets of this type.',
  since: 'Only changes at or after this time.',
  until: 'Only changes before this time.',
  door: 'Only changes that came in this way.',
};
/** In characters. */
const CHUNK = 65_536;
const READ_REFUSALS = ['slow_read', 'too_many_reads'] as const;

/** The parameters of a list in the one order that it has. */
function pageParameters(filters: readonly ChangeFilter[]) {
  const { sort_key: _, sort_dir: __, ...own } = listParameters({ ...NEWEST_FIRST, filters }, NOTES);
  return own;
}

/** @throws EdgeError */
function readPage(filters: readonly ChangeFilter[], limits: PageLimits) {
  return (parameters: URLSearchParams): HistoryPageQuery => {
    if (parameters.has('sort_key') || parameters.has('sort_dir'))
      throw new EdgeError('bad_request', 'Changes are listed newest first; omit sort_key and sort_dir.');
    const query = readListQuery<'at', ChangeFilter>(parameters, { ...NEWEST_FIRST, filters, limits });
    const given = Object.entries(query.filters) as [ChangeFilter, string][];
    const canonical = given.map(([name, text]) => [name, CANONICAL[name]?.(text) ?? text]);
    return { ...query, filters: Object.fromEntries(canonical) };
  };
}

/** A list of changes, newest first. */
function changesRoute(
  spec: {
    readonly path: string;
    readonly operationId: string;
    readonly filters: readonly ChangeFilter[];
    list(context: RequestContext, params: Params, query: HistoryPageQuery): Promise<Page<ShownChange>>;
  },
  limits: PageLimits,
): Route {
  const { path, operationId, filters } = spec;
  const links = responseSchema.object({ self: responseSchema.link }, { next: responseSchema.link });
  return route({
    method: 'GET',
    path,
    operationId,
    guard: actingProject('find_zone_changes'),
    scopedReach: 'whole zones',
    query: { parameters: pageParameters(filters), read: readPage(filters, limits) },
    responses: responsesWith(
      200,
      responseSchema.object({ changes: responseSchema.list(shownChange), links }),
    ),
    refusals: LIST_REFUSALS.filter((one) => !/sort/.test(one)),
    async handle(request) {
      const { context, params, query, base, url } = request;
      const page = await withCapacity(query, request, () => spec.list(context, params, query));
      const changes = page.items.map((change) => changeToWire(change, base));
      return { status: 200, body: { changes, links: pageLinks({ base, url, query }, page) } };
    },
  });
}

const FROM_TO = {
  parameters: {
    from: { ...SERIAL, description: 'A serial.' },
    to: { ...SERIAL, description: 'Another serial, later or earlier.' },
  },
  read(parameters: URLSearchParams): { readonly from: number; readonly to: number } {
    const { from, to } = readOnce(parameters, ['from', 'to']);
    if (from === undefined || to === undefined)
      throw new EdgeError('bad_request', 'Give both serials, as from and to.');
    return { from: readSerial(from, 'from'), to: readSerial(to, 'to') };
  },
};
/** The parts of a change, a page at a time. */
function changeRoute(history: ZoneHistoryUseCases, limits: PageLimits): Route {
  return route({
    method: 'GET',
    path: '/v2/zones/{zone_id}/changes/{change_id}',
    operationId: 'getZoneChange',
    guard: actingProject('find_zone_changes'),
    scopedReach: 'whole zones',
    query: { parameters: pageParameters([]), read: readPage([], limits) },
    responses: responsesWith(200, shownChangePage),
    refusals: ['invalid_limit', 'invalid_marker', 'marker_not_found', ...READ_REFUSALS],
    async handle(request) {
      const { context, params, query, base, url } = request;
      const { zone_id: zoneId, change_id: id } = params;
      const { change, more } = await withCapacity(query, request, () =>
        history.get(context, zoneId!, id!, query),
      );
      const last = change.recordsets?.at(-1);
      const marker = (last?.after ?? last?.before)?.id;
      const next = more && marker !== undefined ? { marker, limit: query.limit } : undefined;
      return { status: 200, body: { ...changeToWire(change, base), links: listLinks(base, url, next) } };
    },
  });
}

/** A difference may be as large as a zone, so that it is sent in parts. */
async function* differenceJson(effects: readonly RecordsetEffect[]): AsyncGenerator<string, void> {
  let text = '{"changes":[';
  for (const [place, effect] of effects.entries()) {
    text += `${place === 0 ? '' : ','}${JSON.stringify(effectToWire(effect))}`;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
    await cooperativeYield();
  }
  yield `${text}]}`;
}

/** The operations on the history of zones. */
export function historyRoutes(history: ZoneHistoryUseCases, limits: PageLimits): Route[] {
  return [
    changesRoute(
      {
        path: '/v2/zones/{zone_id}/changes',
        operationId: 'listZoneChanges',
        filters: CHANGE_FILTERS,
        list: (context, params, query) => history.list(context, params.zone_id!, query),
      },
      limits,
    ),
    changesRoute(
      {
        path: '/v2/recordsets/{recordset_id}/changes',
        operationId: 'listRecordsetChanges',
        filters: ['since', 'until', 'door'],
        list: (context, params, query) => history.ofRecordset(context, params.recordset_id!, query),
      },
      limits,
    ),
    changeRoute(history, limits),
    route({
      method: 'GET',
      path: '/v2/zones/{zone_id}/diff',
      operationId: 'getZoneDifference',
      guard: actingProject('find_zone_changes'),
      scopedReach: 'whole zones',
      query: FROM_TO,
      responses: responsesWith(200, responseSchema.object({ changes: responseSchema.list(shownEffect) })),
      refusals: ['change_not_found', 'zone_leaving', ...READ_REFUSALS],
      isLarge: true,
      async handle({ context, params, query }) {
        const effects = await history.difference(context, params.zone_id!, query);
        return { status: 200, body: differenceJson(effects) };
      },
    }),
  ];
}
