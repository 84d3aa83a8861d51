import { canonicalFilter } from '../dns/names.ts';
import { parseOwnerName } from '../dns/owner-name.ts';
import { canonicalType, parseRecordType, RECORD_TYPES } from '../dns/record-types.ts';
import type { CreatedRecordset } from '../domain/recordsets/recordset-creation.ts';
import type { RecordsetScope, RecordsetUseCases } from '../domain/recordsets/recordsets.ts';
import { integer, list, nullable, object, parsed, text } from '../domain/shapes/shape.ts';
import {
  type ListedRecordset,
  RECORDSET_FILTERS,
  RECORDSET_SORT_KEYS,
  spelledRecords,
} from '../model/recordsets/recordset.ts';
import { descriptionFault, storableFault } from '../model/text.ts';
import { jsonBody } from './edge/body.ts';
import { patchBody } from './edge/patch-body.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { OF_BLACKLISTS, responsesCreated, responsesNothing, responsesWith } from './edge/responses.ts';
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
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';
import { ACTION, STATUS } from './zones/zone-answers.ts';

const NAME = 'www.example.org.';
const TYPE_PATTERN = `^(${RECORD_TYPES.join('|')}|TYPE[0-9]{1,5})$`;

const shown = responseSchema.titled(
  'Recordset',
  responseSchema.object(
    {
      id: responseSchema.id,
      zone_id: responseSchema.id,
      zone_name: responseSchema.text({ examples: ['example.org.'] }),
      project_id: responseSchema.projectId,
      name: responseSchema.text({ examples: [NAME] }),
      type: responseSchema.text({ pattern: TYPE_PATTERN, examples: ['A'] }),
      records: responseSchema.list(responseSchema.text({ examples: ['192.0.2.1'] })),
      ttl: responseSchema.nullable(
        responseSchema.integer({
          description: 'In seconds; null for the zone default.',
          examples: [3600],
        }),
      ),
      description: responseSchema.nullable(responseSchema.text()),
      status: STATUS,
      action: ACTION,
      version: responseSchema.integer({ minimum: 1 }),
      created_at: responseSchema.time,
      updated_at: responseSchema.nullable(responseSchema.time),
      links: responseSchema.object({ self: responseSchema.link }),
    },
    {
      hidden_by: responseSchema.text({
        description: 'The child zone that name servers use for this name.',
        examples: ['dept.example.org.'],
      }),
    },
  ),
);

function linkOf({ zoneId, id }: { zoneId: string; id: string }, base: string): string {
  return `${base}/v2/zones/${zoneId}/recordsets/${id}`;
}

/**
 * Converts a recordset to wire format.
 * @param change action that the request has started; the response shows it as PENDING, even if it has already finished
 */
function toWire(
  recordset: ListedRecordset,
  base: string,
  change?: 'CREATE' | 'UPDATE' | 'DELETE',
): ResponseBody<typeof shown> {
  return {
    id: recordset.id,
    zone_id: recordset.zoneId,
    zone_name: recordset.zoneName,
    project_id: recordset.projectId,
    name: recordset.name,
    type: recordset.type,
    records: spelledRecords(recordset),
    ttl: recordset.ttl,
    description: recordset.description,
    status: change ? 'PENDING' : recordset.status,
    action: change ?? recordset.action,
    version: recordset.version,
    created_at: recordset.createdAt,
    updated_at: recordset.updatedAt,
    ...(recordset.hiddenBy && { hidden_by: recordset.hiddenBy }),
    links: { self: linkOf(recordset, base) },
  };
}

const asRecordset = tagged((recordset: ListedRecordset) => toWire(recordset, ''));

const name = parsed(parseOwnerName, {
  description:
    'A name with a final dot; the leftmost label may be *. Labels hold letters, digits, -, _, / and +, and other octets as escapes such as \\032; owners of A, AAAA and MX hold only letters, digits, - and _. U-labels are converted to A-labels.',
  examples: [NAME],
});
const type = parsed(parseRecordType, {
  pattern: TYPE_PATTERN,
  description:
    'A record type, or TYPE and its number with records in the general form of RFC 3597, such as TYPE65280 with \\# 2 0a0b. TYPE257 is CAA.',
  examples: ['A'],
});
const records = list(text(storableFault, { description: 'Rdata of the type.', examples: ['192.0.2.1'] }));
const ttl = nullable(integer({ minimum: 0, maximum: 2147483647 }));
const description = nullable(text(descriptionFault, { maxLength: 1024 }));

const createBody = jsonBody(object({ name, type, records }, { ttl, description }));
const updateBody = patchBody(object({}, { records, ttl, description }), {
  name: canonicalFilter,
  zone_name: canonicalFilter,
});

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
      key: 'recordsets',
      sortKeys: RECORDSET_SORT_KEYS,
      filters: RECORDSET_FILTERS,
      canonical: { name: canonicalFilter, type: canonicalType },
      operationId,
      sends: shown,
      toWire: (recordset: ListedRecordset, base) => toWire(recordset, base),
      list: (context, query, params) => recordsets.list(context, query, within(params)),
      isCounted: true,
    },
    limits,
  );
}

/** Errors that a write to a recordset can cause. */
const CHANGE_REFUSALS = ['invalid_recordset_location', 'secondary_zone', 'over_quota'] as const;

/** Operations on recordsets, in one zone and across zones. */
export function recordsetRoutes(recordsets: RecordsetUseCases, limits: PageLimits): Route[] {
  const collection = '/v2/zones/{zone_id}/recordsets';
  return [
    route({
      method: 'POST',
      path: collection,
      guard: actingProject('create_recordset'),
      body: createBody,
      tagged: asRecordset,
      responses: responsesCreated(202, shown, OF_BLACKLISTS),
      refusals: [...CHANGE_REFUSALS, 'duplicate_recordset', 'blacklisted_recordset'],
      handle(request) {
        const { params, body, base } = request;
        return replyCreated(
          request,
          (options) => recordsets.create(request.context, params.zone_id!, body, options),
          (made: CreatedRecordset) => created(202, toWire(made.recordset, base, 'CREATE'), made),
        );
      },
      repeat: async ({ params, context, base }, id) =>
        toWire(await recordsets.get(context, params.zone_id!, id), base, 'CREATE'),
    }),
    recordsetList(recordsets, { path: collection, operationId: 'listRecordsetsOfZone' }, limits),
    recordsetList(recordsets, { path: '/v2/recordsets', operationId: 'listRecordsets' }, limits),
    route({
      method: 'GET',
      path: '/v2/recordsets/{recordset_id}',
      guard: actingProject('get_recordset'),
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
    toWire(await recordsets.get(context, params.zone_id!, params.recordset_id!, { precondition }), base);
  return [
    route({
      method: 'GET',
      path,
      guard: actingProject('get_recordset'),
      tagged: asRecordset,
      responses: responsesWith(200, shown),
      handle: async (request) => ({ status: 200, body: await show(request) }),
    }),
    route({
      method: 'PUT',
      path,
      guard: actingProject('update_recordset'),
      body: updateBody,
      tagged: asRecordset,
      responses: responsesWith(202, shown),
      refusals: CHANGE_REFUSALS,
      async handle(request) {
        const { params, body, context, precondition, base } = request;
        const changes = await body.resolveAgainst(() => show(request));
        const { zone_id: zoneId, recordset_id: id } = params;
        const changed = await recordsets.update(context, zoneId!, id!, changes, { precondition });
        return { status: 202, body: toWire(changed, base, 'UPDATE') };
      },
    }),
    route({
      method: 'DELETE',
      path,
      guard: actingProject('delete_recordset'),
      tagged: asRecordset,
      responses: responsesWith(202, shown),
      refusals: ['secondary_zone', 'managed_recordset'],
      async handle({ params, context, precondition, base }) {
        const { zone_id: zoneId, recordset_id: id } = params;
        const removed = await recordsets.remove(context, zoneId!, id!, { precondition });
        return { status: 202, body: toWire(removed, base, 'DELETE') };
      },
    }),
  ];
}
