import type {
  ServerState,
  ServerStateUseCases,
  ZonePublication,
} from '../domain/publication/server-states.ts';
import { formatMaster } from '../model/secondaries/master-address.ts';
import type { SecondaryState } from '../model/secondaries/store.ts';
import { answersWith } from './edge/answers.ts';
import { actingProject, type Route, route } from './edge/route.ts';
import { type SentAs, sent } from './edge/sent.ts';
import { ACTION, STATUS } from './zones/zone-answers.ts';

const serial = sent.nullable(sent.integer({ examples: [1795253400] }));
const fault = sent.nullable(sent.text());
const shownServer = sent.object(
  { serial, expected_serial: serial, since: sent.nullable(sent.time), fault },
  { host: sent.text({ examples: ['192.0.2.53'] }), port: sent.integer({ examples: [53] }) },
);
const shownTransfer = sent.object({
  masters: sent.list(sent.text({ examples: ['192.0.2.53:53'] })),
  contacted_at: sent.nullable(sent.time),
  due_at: sent.nullable(sent.time),
  expires_at: sent.nullable(sent.time),
  expired: sent.flag,
  fault,
});
const shown = sent.titled(
  'ZonePublication',
  sent.object(
    {
      zone_id: sent.id,
      status: STATUS,
      action: ACTION,
      serial: sent.integer({ examples: [1795253400] }),
      published_serial: serial,
      pending_since: sent.nullable(sent.time),
      error: sent.nullable(sent.text()),
      servers: sent.list(shownServer),
    },
    { advice: sent.text(), transfer: shownTransfer },
  ),
);

function serverToWire(
  { host, port, ...server }: ServerState,
  showsAddresses: boolean,
): SentAs<typeof shownServer> {
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
}: SecondaryState): SentAs<typeof shownTransfer> {
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
}: ZonePublication): SentAs<typeof shown> {
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
      answers: answersWith(200, shown),
      handle: async ({ act, params }) => ({
        status: 200,
        body: toWire(await states.find(act, params.zone_id!)),
      }),
    }),
  ];
}
