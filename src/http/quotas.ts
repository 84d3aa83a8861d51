import Type from 'typebox';
import {
  GREATEST_LIMIT,
  type Limits,
  QUOTA_KEYS,
  type QuotaChanges,
  type QuotaKey,
  UNLIMITED,
} from '../domain/quotas/quota.ts';
import type { QuotaUseCases } from '../domain/quotas/quotas.ts';
import { jsonBody } from './body.ts';
import type { PageLimits } from './list-query.ts';
import { actingProject, type Route, route } from './route.ts';

/** The keys of the v1 extension, and the quotas that they are in v2. */
const V1_KEYS = {
  domains: 'zones',
  recordset_records: 'recordset_records',
  domain_records: 'zone_records',
  domain_recordsets: 'zone_recordsets',
} as const satisfies Record<string, QuotaKey>;

/** The document's example of GET shows 201 Created, and the document is to be followed to the letter. */
const V1_GET_STATUS = 201;

const limit = Type.Optional(Type.Integer({ minimum: UNLIMITED, maximum: GREATEST_LIMIT }));

function limitsBody<K extends string>(keys: readonly K[]) {
  const properties = Object.fromEntries(keys.map((key) => [key, limit])) as Record<K, typeof limit>;
  return jsonBody(Type.Object(properties, { additionalProperties: false }));
}

function toV1(limits: Limits): Record<string, number> {
  return Object.fromEntries(Object.entries(V1_KEYS).map(([key, quota]) => [key, limits[quota]]));
}

function fromV1(body: Partial<Record<string, number>>): QuotaChanges {
  const changes = Object.entries(V1_KEYS).map(([key, quota]) => [quota, body[key]]);
  return Object.fromEntries(changes.filter(([, value]) => value !== undefined));
}

const reading = { rule: 'get_quotas', about: 'project in path' } as const;
const setting = { rule: 'set_quota', about: 'project in path' } as const;
const resetting = { rule: 'reset_quotas', about: 'project in path' } as const;

/** The quotas extension of v1. */
export function quotaRoutesV1(quotas: QuotaUseCases): Route[] {
  const path = '/v1/quotas/:project';
  return [
    route({
      method: 'GET',
      path,
      guard: reading,
      handle: async ({ act, params }) => ({
        status: V1_GET_STATUS,
        body: toV1(await quotas.get(act, params.project!)),
      }),
    }),
    route({
      method: 'PUT',
      path,
      guard: setting,
      body: limitsBody(Object.keys(V1_KEYS)),
      handle: async ({ act, params, body }) => ({
        status: 200,
        body: toV1(await quotas.set(act, params.project!, fromV1(body as Partial<Record<string, number>>))),
      }),
    }),
    route({
      method: 'DELETE',
      path,
      guard: resetting,
      async handle({ act, params }) {
        await quotas.reset(act, params.project!);
        return { status: 200 };
      },
    }),
  ];
}

/** The quotas of v2, over the same store. */
export function quotaRoutesV2(quotas: QuotaUseCases, pages: PageLimits): Route[] {
  const path = '/v2/quotas/:project';
  return [
    route({
      method: 'GET',
      path: '/v2/quotas',
      guard: actingProject('get_quotas'),
      handle: async ({ act }) => ({ status: 200, body: await quotas.get(act, act.projectId) }),
    }),
    route({
      method: 'GET',
      path,
      guard: reading,
      handle: async ({ act, params }) => ({ status: 200, body: await quotas.get(act, params.project!) }),
    }),
    route({
      method: 'GET',
      path: `${path}/usage`,
      guard: reading,
      handle: async ({ act, params }) => {
        const { limits, usage, fullest = null } = await quotas.usage(act, params.project!);
        return { status: 200, body: { limits, usage, fullest_zone: fullest } };
      },
    }),
    route({
      method: 'PATCH',
      path,
      guard: setting,
      body: limitsBody(QUOTA_KEYS),
      handle: async ({ act, params, body }) => ({
        status: 200,
        body: await quotas.set(act, params.project!, body as QuotaChanges),
      }),
    }),
    route({
      method: 'DELETE',
      path,
      guard: resetting,
      async handle({ act, params }) {
        await quotas.reset(act, params.project!);
        return { status: 204 };
      },
    }),
    route({
      method: 'GET',
      path: '/v2/limits',
      guard: actingProject('get_quotas'),
      async handle({ act }) {
        const limits = await quotas.get(act, act.projectId);
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
            min_ttl: 1,
          },
        };
      },
    }),
  ];
}
