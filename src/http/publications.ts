import type {
  ServerState,
  ServerStateUseCases,
  ZonePublication,
} from '../domain/publication/server-states.ts';
import { actingProject, type Route, route } from './route.ts';

function serverToWire({ host, port, ...server }: ServerState, showsAddresses: boolean) {
  return {
    ...(showsAddresses ? { host, port } : {}),
    serial: server.serial,
    expected_serial: server.expectedSerial,
    since: server.since,
    fault: server.fault,
  };
}

function toWire({ zone, order, error, servers, showsAddresses }: ZonePublication) {
  return {
    zone_id: zone.id,
    status: zone.status,
    action: zone.action,
    serial: zone.serial,
    published_serial: order?.publishedSerial ?? null,
    pending_since: order?.pendingSince || null,
    error: error || null,
    servers: servers.map((server) => serverToWire(server, showsAddresses)),
  };
}

/** What name servers have of a zone. */
export function publicationRoutes(states: ServerStateUseCases): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v2/zones/{zone_id}/publication',
      guard: actingProject('get_zone_publication'),
      handle: async ({ act, params }) => ({
        status: 200,
        body: toWire(await states.find(act, params.zone_id!)),
      }),
    }),
  ];
}
