import type { QuotaUseCases } from '../../domain/quotas/quotas.ts';
import { integer, object } from '../../domain/shapes/shape.ts';
import { requireProject } from '../../model/context/request-context.ts';
import {
  type Limits,
  MAX_LIMIT,
  type QuotaChanges,
  type QuotaKey,
  UNLIMITED,
} from '../../model/quotas/quota.ts';
import { jsonBody } from '../edge/body.ts';
import type { ResponseBody } from '../edge/response-schema.ts';
import { responsesNothing, responsesWith } from '../edge/responses.ts';
import { actingProject, type Route, route, tagged } from '../edge/route.ts';
import type { PageLimits } from '../lists/list-query.ts';
import {
  shownLimits,
  shownLimitsOfV1,
  shownMaxima,
  shownMeasuredLimits,
  shownUsage,
  V1_KEYS,
  type V1Key,
} from './quota-answers.ts';

/** The example of GET in the v1 documentation shows 201 Created, and that documentation is binding to the letter. */
const V1_GET_STATUS = 201;

const limit = integer({ minimum: UNLIMITED, maximum: MAX_LIMIT });

const bodyOfV1 = jsonBody(
  object({}, { domains: limit, recordset_records: limit, domain_records: limit, domain_recordsets: limit }),
);

const bodyOfV2 = jsonBody(
  object({}, {
    zones: limit,
    zone_recordsets: limit,
    zone_records: limit,
    recordset_records: limit,
    api_export_size: limit,
  } satisfies Record<QuotaKey, typeof limit>),
);

function toV1(limits: Limits): ResponseBody<typeof shownLimitsOfV1> {
  const entries = V1_KEYS.map(([key, quota]) => [key, limits[quota]]);
  return Object.fromEntries(entries) as ResponseBody<typeof shownLimitsOfV1>;
}

function fromV1(body: Partial<Record<V1Key, number>>): QuotaChanges {
  const changes: { -readonly [Q in keyof QuotaChanges]: QuotaChanges[Q] } = {};
  for (const [key, quota] of V1_KEYS) {
    const given = body[key];
    if (given !== undefined) changes[quota] = given;
  }
  return changes;
}

const reading = { rule: 'get_quotas', about: 'project in path' } as const;
/** Usage names a zone, so it needs this rule; the rule for reading limits is checked, too. */
const ofCaller = { guard: actingProject('get_quotas'), scopedReach: 'by scope' } as const;
const seeing = { rule: 'find_zones', about: 'project in path' } as const;
const setting = { rule: 'set_quota', about: 'project in path' } as const;
const resetting = { rule: 'reset_quotas', about: 'project in path' } as const;

/** The quotas extension of v1. */
export function quotaRoutesV1(quotas: QuotaUseCases): Route[] {
  const path = '/v1/quotas/{tenant_id}';
  return [
    route({
      method: 'GET',
      path,
      guard: reading,
      operationId: 'getQuotasOfV1',
      responses: responsesWith(V1_GET_STATUS, shownLimitsOfV1),
      handle: async ({ context, params }) => ({
        status: V1_GET_STATUS,
        body: toV1(await quotas.get(context, params.tenant_id!)),
      }),
    }),
    route({
      method: 'PUT',
      path,
      guard: setting,
      body: bodyOfV1,
      operationId: 'setQuotasOfV1',
      responses: responsesWith(200, shownLimitsOfV1),
      refusals: ['unknown_project'],
      handle: async ({ context, params, body }) => ({
        status: 200,
        body: toV1(await quotas.set(context, params.tenant_id!, fromV1(body))),
      }),
    }),
    route({
      method: 'DELETE',
      path,
      guard: resetting,
      operationId: 'resetQuotasOfV1',
      responses: responsesNothing(200),
      async handle({ context, params }) {
        await quotas.reset(context, params.tenant_id!);
        return { status: 200 };
      },
    }),
  ];
}

const asLimits = tagged((limits: Limits) => limits);

/** The quotas of v2, over the same store. */
export function quotaRoutesV2(quotas: QuotaUseCases, pages: PageLimits): Route[] {
  const path = '/v2/quotas/{project_id}';
  return [
    route({
      method: 'GET',
      path: '/v2/quotas',
      guard: actingProject('get_quotas'),
      tagged: asLimits,
      operationId: 'getOwnQuotas',
      responses: responsesWith(200, shownLimits),
      handle: async ({ context, precondition }) => ({
        status: 200,
        body: await quotas.get(context, requireProject(context), { precondition }),
      }),
    }),
    route({
      method: 'GET',
      path,
      guard: reading,
      tagged: asLimits,
      responses: responsesWith(200, shownLimits),
      handle: async ({ context, precondition, params }) => ({
        status: 200,
        body: await quotas.get(context, params.project_id!, { precondition }),
      }),
    }),
    route({
      method: 'GET',
      path: `${path}/usage`,
      guard: seeing,
      operationId: 'getQuotaUsage',
      responses: responsesWith(200, shownUsage),
      handle: async ({ context, params }) => {
        const found = await quotas.usage(context, params.project_id!);
        const { limits, usage, fullest = null, largest = null, maxZoneSize, percentages } = found;
        return {
          status: 200,
          body: {
            limits,
            usage,
            fullest_zone: fullest,
            largest_zone: largest,
            max_zone_size: maxZoneSize,
            percentages,
          },
        };
      },
    }),
    route({
      method: 'PATCH',
      path,
      guard: setting,
      body: bodyOfV2,
      tagged: asLimits,
      operationId: 'setQuotas',
      responses: responsesWith(200, shownLimits),
      refusals: ['unknown_project'],
      handle: async ({ context, precondition, params, body }) => ({
        status: 200,
        body: await quotas.set(context, params.project_id!, body, { precondition }),
      }),
    }),
    route({
      method: 'DELETE',
      path,
      guard: resetting,
      tagged: asLimits,
      responses: responsesNothing(204),
      async handle({ context, precondition, params }) {
        await quotas.reset(context, params.project_id!, { precondition });
        return { status: 204 };
      },
    }),
    route({
      method: 'GET',
      path: '/v2/limits',
      ...ofCaller,
      operationId: 'getMaxima',
      responses: responsesWith(200, shownMaxima),
      async handle({ context }) {
        const limits = await quotas.get(context, requireProject(context));
        return {
          status: 200,
          body: {
            max_page_limit: pages.max,
            max_recordset_name_length: 254,
            max_recordset_records: limits.recordset_records,
            max_zone_name_length: 254,
            max_zone_records: limits.zone_records,
            max_zone_recordsets: limits.zone_recordsets,
            max_zones: limits.zones,
            min_ttl: 0,
          },
        };
      },
    }),
  ];
}

/** The configured default limits. They are not below `/v2/quotas`, where every segment is a project ID. */
export function quotaDefaultsRoute(quotas: QuotaUseCases): Route {
  return route({
    method: 'GET',
    path: '/v2/quota_defaults',
    guard: actingProject('get_usage'),
    operationId: 'getQuotaDefaults',
    responses: responsesWith(200, shownMeasuredLimits),
    handle: async ({ context }) => ({ status: 200, body: quotas.defaults(context) }),
  });
}
