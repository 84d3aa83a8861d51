import type {
  ServerState,
  ServerStateUseCases,
  ZonePublication,
} from '../domain/publication/server-states.ts';
import { formatMaster } from '../model/secondaries/master-address.ts';
import type { SecondaryState } from '../model/secondaries/store.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesWith } from './edge/responses.ts';
import { actingProject, type Route, route } from './edge/route.ts';
import { ACTION, STATUS } from './zones/zone-answers.ts';

const serial = responseSchema.nullable(responseSchema.integer({ examples: [1795253400] }));
const fault = responseSchema.nullable(responseSchema.text());
const shownServer = responseSchema.object(
  { serial, expected_serial: serial, since: responseSchema.nullable(responseSchema.time), fault },
  {
    host: responseSchema.text({ examples: ['192.0.2.53'] }),
    port: responseSchema.integer({ examples: [53] }),
  },
);
const shownTransfer = responseSchema.object({
  masters: responseSchema.list(responseSchema.text({ examples: ['192.0.2.53:53'] })),
  contacted_at: responseSchema.nullable(responseSchema.time),
  due_at: responseSchema.nullable(responseSchema.time),
  expires_at: responseSchema.nullable(responseSchema.time),
  expired: responseSchema.flag,
  fault,
});
const shown = responseSchema.titled(
  'ZonePublication',
  responseSchema.object(
    {
      zone_id: responseSchema.id,
      status: STATUS,
      action: ACTION,
      serial: responseSchema.integer({ examples: [1795253400] }),
      published_serial: serial,
      pending_since: responseSchema.nullable(responseSchema.time),
      error: responseSchema.nullable(responseSchema.text()),
      servers: responseSchema.list(shownServer),
    },
    { advice: responseSchema.text(), transfer: shownTransfer },
  ),
);

function serverToWire(
  { host, port, ...server }: ServerState,
  showsAddresses: boolean,
): ResponseBody<typeof shownServer> {
  return {
    ...(showsAddresses ? { host, port } : {}),
    serial: server.serial,
    expected_serial: server.expectedSerial,
    since: server.since,
    fault: server.fault,
  };
}

/** The transfer status of a secondary zone. */
function secondaryToWire({
  masters,
  contactAt,
  dueAt,
  expiresAt,
  isExpired,
  fault,
}: SecondaryState): ResponseBody<typeof shownTransfer> {
  return {
    masters: masters.map(formatMaster),
    contacted_at: contactAt || null,
    due_at: dueAt || null,
    expires_at: expiresAt || null,
    expired: isExpired,
    fault: fault || null,
  };
}

function toWire({
  zone,
  order,
  error,
  servers,
  advice,
  secondary,
  showsAddresses,
}: ZonePublication): ResponseBody<typeof shown> {
  return {
    zone_id: zone.id,
    status: zone.status,
    action: zone.action,
    serial: zone.serial,
    published_serial: order?.publishedSerial ?? null,
    pending_since: order?.pendingSince || null,
    error: error || null,
    servers: servers.map((server) => serverToWire(server, showsAddresses)),
    ...(advice === undefined ? {} : { advice }),
    ...(secondary === undefined ? {} : { transfer: secondaryToWire(secondary) }),
  };
}

/** The publication status of a zone on its name servers. */
export function publicationRoutes(states: ServerStateUseCases): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v2/zones/{zone_id}/publication',
      guard: actingProject('get_zone_publication'),
      responses: responsesWith(200, shown),
      handle: async ({ context, params }) => ({
        status: 200,
        body: toWire(await states.find(context, params.zone_id!)),
      }),
    }),
  ];
}
