import type { ServiceStatusUseCases } from '../domain/service-statuses/service-statuses.ts';
import {
  type JobReport,
  SERVICE_STATUS_FILTERS,
  SERVICE_STATUS_SORT_KEYS,
  type ServiceStatus,
} from '../model/service-statuses/service-status.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesWith } from './edge/responses.ts';
import { actingProject, type Route, route } from './edge/route.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';

const PATH = '/v2/service_statuses';
/** Designate clients use both paths. */
const PATHS = [
  { path: PATH, listing: 'listServiceStatuses', reading: 'getServiceStatus' },
  { path: '/v2/service_status', listing: 'listServiceStatus', reading: 'readServiceStatus' },
];

const nothing = responseSchema.object({});
const job = responseSchema.titled(
  'JobStats',
  responseSchema.object(
    {
      interval_seconds: responseSchema.number({ minimum: 0 }),
      slices: responseSchema.integer({ minimum: 0 }),
      failures: responseSchema.integer({ minimum: 0 }),
    },
    { last_success_at: responseSchema.time, last_seconds: responseSchema.number({ minimum: 0 }) },
  ),
);
const shown = responseSchema.titled(
  'ServiceStatus',
  responseSchema.object({
    id: responseSchema.id,
    service_name: responseSchema.choice(['api', 'central', 'worker', 'producer', 'mdns']),
    hostname: responseSchema.text({ examples: ['dns1'] }),
    status: responseSchema.choice(['UP', 'DOWN']),
    stats: responseSchema.object({}, { jobs: responseSchema.dictionary(job) }),
    capabilities: nothing,
    heartbeated_at: responseSchema.time,
    created_at: responseSchema.time,
    updated_at: responseSchema.nullable(responseSchema.time),
    links: responseSchema.object({ self: responseSchema.link }),
  }),
);

function jobToWire({
  intervalMs,
  slices,
  failures,
  lastSuccessAt,
  lastMs,
}: JobReport): ResponseBody<typeof job> {
  const counts = { interval_seconds: intervalMs / 1000, slices, failures };
  if (lastSuccessAt === null || lastMs === null) return counts;
  return { ...counts, last_success_at: lastSuccessAt, last_seconds: Math.round(lastMs) / 1000 };
}

function statsToWire(jobs: ServiceStatus['jobs']): ResponseBody<typeof shown>['stats'] {
  const entries = Object.entries(jobs);
  if (entries.length === 0) return {};
  return { jobs: Object.fromEntries(entries.map(([name, report]) => [name, jobToWire(report)])) };
}

function toWire(status: ServiceStatus, base: string): ResponseBody<typeof shown> {
  return {
    id: status.id,
    service_name: status.serviceName,
    hostname: status.hostname,
    status: status.status,
    stats: statsToWire(status.jobs),
    capabilities: {},
    heartbeated_at: status.heartbeatedAt,
    created_at: status.createdAt,
    updated_at: status.updatedAt,
    links: { self: `${base}${PATH}/${status.id}` },
  };
}

/** Operations on the processes of the service. */
export function serviceStatusRoutes(statuses: ServiceStatusUseCases, limits: PageLimits): Route[] {
  return PATHS.flatMap(({ path, listing, reading }) => [
    listRoute(
      {
        path,
        rule: 'find_service_statuses',
        key: 'service_statuses',
        sortKeys: SERVICE_STATUS_SORT_KEYS,
        filters: SERVICE_STATUS_FILTERS,
        operationId: listing,
        sends: shown,
        toWire,
        list: (context, query) => statuses.list(context, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: `${path}/{service_id}`,
      guard: actingProject('find_service_status'),
      operationId: reading,
      responses: responsesWith(200, shown),
      handle: async ({ context, params, base }) => ({
        status: 200,
        body: toWire(await statuses.get(context, params.service_id!), base),
      }),
    }),
  ]);
}
