import {
  SERVICE_STATUS_FILTERS,
  SERVICE_STATUS_SORT_KEYS,
  type ServiceStatus,
} from '../domain/service-statuses/service-status.ts';
import type { ServiceStatusUseCases } from '../domain/service-statuses/service-statuses.ts';
import { listRoute } from './list.ts';
import type { PageLimits } from './list-query.ts';
import { actingProject, type Route, route } from './route.ts';

const PATH = '/v2/service_statuses';
/** Clients of Designate use either. */
const PATHS = [PATH, '/v2/service_status'];

function toWire(status: ServiceStatus, base: string) {
  return {
    id: status.id,
    service_name: status.serviceName,
    hostname: status.hostname,
    status: status.status,
    stats: {},
    capabilities: {},
    heartbeated_at: status.heartbeatedAt,
    created_at: status.createdAt,
    updated_at: status.updatedAt,
    links: { self: `${base}${PATH}/${status.id}` },
  };
}

/** The operations on the processes of the service. */
export function serviceStatusRoutes(statuses: ServiceStatusUseCases, limits: PageLimits): Route[] {
  return PATHS.flatMap((path) => [
    listRoute(
      {
        path,
        rule: 'find_service_statuses',
        key: 'service_statuses',
        sortKeys: SERVICE_STATUS_SORT_KEYS,
        filters: SERVICE_STATUS_FILTERS,
        toWire,
        list: (act, query) => statuses.list(act, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: `${path}/{service_id}`,
      guard: actingProject('find_service_status'),
      handle: async ({ act, params, base }) => ({
        status: 200,
        body: toWire(await statuses.get(act, params.service_id!), base),
      }),
    }),
  ]);
}
