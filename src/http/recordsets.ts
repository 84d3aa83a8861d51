import { canonicalFilter } from '../dns/names.ts';
import { canonicalType } from '../dns/record-types.ts';
import type { CreatedRecordset } from '../domain/recordsets/recordset-creation.ts';
import type { RecordsetScope, RecordsetUseCases } from '../domain/recordsets/recordsets.ts';
import { object, refined } from '../domain/shapes/shape.ts';
import {
  type ListedRecordset,
  RECORDSET_FILTERS,
  RECORDSET_SORT_KEYS,
} from '../model/recordsets/recordset.ts';
import { jsonBody } from './edge/body.ts';
import { patchBody } from './edge/patch-body.ts';
import {
  CHANGE_HEADER,
  changeHeader,
  OF_BLACKLISTS,
  responsesCreated,
  responsesNothing,
  responsesWith,
} from './edge/responses.ts';
import {
  type ApiRequest,
  actingProject,
  created,
  type Params,
  type Route,
  replyCreated,
  route,
  tagged,
} from './edge/route.ts';
import { overridesIn } from './guardrails.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';
import { linkOf, recordsetToWire, shownRecordset, writtenToWire } from './recordset-answers.ts';
import { description, expires_at, name, records, ttl, type } from './recordset-bodies.ts';
import { PROTECTION_KEYS, type ProtectionBody, withProtection } from './zones/protection.ts';

const asRecordset = tagged((recordset: ListedRecordset) => recordsetToWire(recordset, ''));

/** The body with the names of the domain. */
function toDraft<T extends ProtectionBody & { readonly expires_at?: string | null | undefined }>({
  expires_at: expiresAt,
  ...body
}: T) {
  return withProtection({ ...body, expiresAt });
}

const createBody = jsonBody(
  refined(object({ name, type, records }, { ttl, description, expires_at, ...PROTECTION_KEYS }), toDraft),
);
const updateBody = patchBody(
  refined(object({}, { records, ttl, description, expires_at, ...PROTECTION_KEYS }), toDraft),
  {
    name: canonicalFilter,
    zone_name: canonicalFilter,
  },
);

/** The recordset list at a path: of the zone in the path, or of all zones. */
function recordsetList(
  recordsets: RecordsetUseCases,
  { path, operationId }: { readonly path: string; readonly operationId: string },
  limits: PageLimits,
): Route {
  const within = ({ zone_id: zoneId }: Params): RecordsetScope =>
    zoneId === undefined ? undefined : { zoneId };
  return listRoute(
    {
      path,
      rule: 'find_recordsets',
      scopedReach: 'by scope',
      key: 'recordsets',
      sortKeys: RECORDSET_SORT_KEYS,
      filters: RECORDSET_FILTERS,
      canonical: { name: canonicalFilter, type: canonicalType },
      operationId,
      sends: shownRecordset,
      toWire: (recordset: ListedRecordset, base) => recordsetToWire(recordset, base),
      list: (context, query, params) => recordsets.list(context, query, within(params)),
      isCounted: true,
    },
    limits,
  );
}

/** Errors that a write to a recordset can cause. */
const CHANGE_REFUSALS = ['invalid_recordset_location', 'secondary_zone', 'over_quota', 'guardrail'] as const;

/** Operations on recordsets, in one zone and across zones. */
export function recordsetRoutes(recordsets: RecordsetUseCases, limits: PageLimits): Route[] {
  const collection = '/v2/zones/{zone_id}/recordsets';
  return [
    route({
      method: 'POST',
      path: collection,
      guard: actingProject('create_recordset'),
      scopedReach: 'by scope',
      body: createBody,
      tagged: asRecordset,
      headers: ['X-Zonewarden-Override'],
      responses: responsesCreated(202, shownRecordset, [...OF_BLACKLISTS, CHANGE_HEADER]),
      refusals: [...CHANGE_REFUSALS, 'duplicate_recordset', 'blacklisted_recordset'],
      async handle(request) {
        const { params, body, base } = request;
        const overrides = overridesIn(request.headers);
        return replyCreated(
          request,
          (options) => recordsets.create(request.context, params.zone_id!, body, { ...options, overrides }),
          (made: CreatedRecordset) => {
            const reply = created(202, writtenToWire(made, base, 'CREATE'), made);
            return { ...reply, headers: { ...reply.headers, ...changeHeader(made) } };
          },
        );
      },
      repeat: async ({ params, context, base }, id) =>
        recordsetToWire(await recordsets.get(context, params.zone_id!, id), base, 'CREATE'),
    }),
    recordsetList(recordsets, { path: collection, operationId: 'listRecordsetsOfZone' }, limits),
    recordsetList(recordsets, { path: '/v2/recordsets', operationId: 'listRecordsets' }, limits),
    route({
      method: 'GET',
      path: '/v2/recordsets/{recordset_id}',
      guard: actingProject('get_recordset'),
      scopedReach: 'by scope',
      operationId: 'findRecordset',
      responses: responsesNothing(301, ['Location']),
      async handle({ params, context, base }) {
        const zoneId = await recordsets.zoneOf(context, params.recordset_id!);
        return { status: 301, headers: { location: linkOf({ zoneId, id: params.recordset_id! }, base) } };
      },
    }),
    ...oneRecordsetRoutes(recordsets, `${collection}/{recordset_id}`),
  ];
}

function oneRecordsetRoutes(recordsets: RecordsetUseCases, path: string): Route[] {
  const show = async ({
    params,
    context,
    precondition,
    base,
  }: Pick<ApiRequest<unknown, unknown>, 'params' | 'context' | 'precondition' | 'base'>) =>
    recordsetToWire(
      await recordsets.get(context, params.zone_id!, params.recordset_id!, { precondition }),
      base,
    );
  return [
    route({
      method: 'GET',
      path,
      guard: actingProject('get_recordset'),
      scopedReach: 'by scope',
      tagged: asRecordset,
      responses: responsesWith(200, shownRecordset),
      handle: async (request) => ({ status: 200, body: await show(request) }),
    }),
    route({
      method: 'PUT',
      path,
      guard: actingProject('update_recordset'),
      scopedReach: 'by scope',
      body: updateBody,
      tagged: asRecordset,
      headers: ['X-Zonewarden-Override'],
      responses: responsesWith(202, shownRecordset, { headers: [CHANGE_HEADER] }),
      refusals: ['protected', ...CHANGE_REFUSALS],
      async handle(request) {
        const { params, body, context, precondition, base } = request;
        const overrides = overridesIn(request.headers);
        const changes = await body.resolveAgainst(() => show(request));
        const { zone_id: zoneId, recordset_id: id } = params;
        const changed = await recordsets.update(context, zoneId!, id!, changes, { precondition, overrides });
        return { status: 202, headers: changeHeader(changed), body: writtenToWire(changed, base, 'UPDATE') };
      },
    }),
    route({
      method: 'DELETE',
      path,
      guard: actingProject('delete_recordset'),
      scopedReach: 'by scope',
      tagged: asRecordset,
      headers: ['X-Zonewarden-Override'],
      responses: responsesWith(202, shownRecordset, { headers: [CHANGE_HEADER] }),
      refusals: ['protected', 'secondary_zone', 'managed_recordset', 'guardrail'],
      async handle({ params, context, precondition, base, headers }) {
        const { zone_id: zoneId, recordset_id: id } = params;
        const options = { precondition, overrides: overridesIn(headers) };
        const removed = await recordsets.remove(context, zoneId!, id!, options);
        return { status: 202, headers: changeHeader(removed), body: writtenToWire(removed, base, 'DELETE') };
      },
    }),
  ];
}
