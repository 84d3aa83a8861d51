import type { ServiceStatusUseCases } from '../domain/service-statuses/service-statuses.ts';
import {
  type JobReport,
  SERVICE_STATUS_FILTERS,
  SERVICE_STATUS_SORT_KEYS,
  type ServiceStatus,
} from '../model/service-statuses/service-status.ts';
import { answersWith } from './edge/answers.ts';
import { actingProject, type Route, route } from './edge/route.ts';
import { type SentAs, sent } from './edge/sent.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';

const PATH = '/v2/service_statuses';
/** Designate clients use both paths. */
const PATHS = [
  { path: PATH, listing: 'listServiceStatuses', reading: 'getServiceStatus' },
  { path: '/v2/service_status', listing: 'listServiceStatus', reading: 'readServiceStatus' },
];

const nothing = sent.object({});
const job = sent.titled(
  'JobStats',
  sent.object(
    {
      interval_seconds: sent.number({ minimum: 0 }),
      slices: sent.integer({ minimum: 0 }),
      failures: sent.integer({ minimum: 0 }),
    },
    { last_success_at: sent.time, last_seconds: sent.number({ minimum: 0 }) },
  ),
);
const shown = sent.titled(
  'ServiceStatus',
  sent.object({
    id: sent.id,
    service_name: sent.choice(['api', 'central', 'worker', 'producer', 'mdns']),
    hostname: sent.text({ examples: ['dns1'] }),
    status: sent.choice(['UP', 'DOWN']),
    stats: sent.object({}, { jobs: sent.dictionary(job) }),
    capabilities: nothing,
    heartbeated_at: sent.time,
    created_at: sent.time,
    updated_at: sent.nullable(sent.time),
    links: sent.object({ self: sent.link }),
  }),
);

function jobToWire({ intervalMs, slices, failures, lastSuccessAt, lastMs }: JobReport): SentAs<typeof job> {
  const counts = { interval_seconds: intervalMs / 1000, slices, failures };
  if (lastSuccessAt === null || lastMs === null) return counts;
  return { ...counts, last_success_at: lastSuccessAt, last_seconds: Math.round(lastMs) / 1000 };
}

function statsToWire(jobs: ServiceStatus['jobs']): SentAs<typeof shown>['stats'] {
  const entries = Object.entries(jobs);
  if (entries.length === 0) return {};
  return { jobs: Object.fromEntries(entries.map(([name, report]) => [name, jobToWire(report)])) };
}

function toWire(status: ServiceStatus, base: string): SentAs<typeof shown> {
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
        list: (act, query) => statuses.list(act, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: `${path}/{service_id}`,
      guard: actingProject('find_service_status'),
      operationId: reading,
      answers: answersWith(200, shown),
      handle: async ({ act, params, base }) => ({
        status: 200,
        body: toWire(await statuses.get(act, params.service_id!), base),
      }),
    }),
  ]);
}
