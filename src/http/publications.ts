import type {
  ServerState,
  ServerStateUseCases,
  ZonePublication,
} from '../domain/publication/server-states.ts';
import { formatMaster } from '../domain/secondaries/master-address.ts';
import type { SecondaryState } from '../domain/secondaries/store.ts';
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

/** What was heard from the masters of a secondary zone. */
function secondaryToWire({ masters, contactAt, dueAt, expiresAt, isExpired, fault }: SecondaryState) {
  return {
    masters: masters.map(formatMaster),
    contacted_at: contactAt || null,
    due_at: dueAt || null,
    expires_at: expiresAt || null,
    expired: isExpired,
    fault: fault || null,
  };
}

function toWire({ zone, order, error, servers, secondary, showsAddresses }: ZonePublication) {
  return {
    zone_id: zone.id,
    status: zone.status,
    action: zone.action,
    serial: zone.serial,
    published_serial: order?.publishedSerial ?? null,
    pending_since: order?.pendingSince || null,
    error: error || null,
    servers: servers.map((server) => serverToWire(server, showsAddresses)),
    ...(secondary === undefined ? {} : { transfer: secondaryToWire(secondary) }),
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
