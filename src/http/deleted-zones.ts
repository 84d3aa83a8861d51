import { canonicalFilter } from '../dns/names.ts';
import type { DeletedZoneUseCases, ListedDeletedZone } from '../domain/deleted-zones/deleted-zones.ts';
import type { CreatedZone } from '../domain/zones/zone-create-request.ts';
import type { ZoneUseCases } from '../domain/zones/zones.ts';
import { DELETED_ZONE_FILTERS, DELETED_ZONE_SORT_KEYS } from '../model/deleted-zones/deleted-zone.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { OF_BLACKLISTS, responsesCreated, responsesNothing } from './edge/responses.ts';
import { actingProject, created, type Route, replyCreated, route } from './edge/route.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';
import { shownZone, zoneToWire } from './zones/zone-answers.ts';
import { asZone, ZONE_CREATION_REFUSALS } from './zones/zones.ts';

const PATH = '/v2/deleted_zones';
const ONE = `${PATH}/{deleted_zone_id}`;

/** Beside those of a create: the names of its recordsets, and its masters, are checked again. */
const REFUSALS = [...ZONE_CREATION_REFUSALS, 'blacklisted_recordset', 'invalid_object'] as const;

const shown = responseSchema.titled(
  'DeletedZone',
  responseSchema.object({
    id: responseSchema.id,
    name: responseSchema.text({ examples: ['example.org.'] }),
    project_id: responseSchema.projectId,
    type: responseSchema.choice(['PRIMARY', 'SECONDARY']),
    serial: responseSchema.integer({ examples: [1795253400] }),
    recordsets: responseSchema.integer({
      description: 'Number of recordsets, without the SOA and the NS at the apex.',
      examples: [12],
    }),
    deleted_at: responseSchema.time,
    forgotten_at: responseSchema.time,
  }),
);

function toWire(zone: ListedDeletedZone): ResponseBody<typeof shown> {
  return {
    id: zone.id,
    name: zone.name,
    project_id: zone.projectId,
    type: zone.type,
    serial: zone.serial,
    recordsets: zone.recordsets,
    deleted_at: zone.deletedAt,
    forgotten_at: zone.forgottenAt,
  };
}

/** The operations on deleted zones. */
export function deletedZoneRoutes(
  deletedZones: DeletedZoneUseCases,
  zones: Pick<ZoneUseCases, 'get'>,
  limits: PageLimits,
): Route[] {
  return [
    listRoute(
      {
        path: PATH,
        rule: 'find_deleted_zones',
        scopedReach: 'whole zones',
        key: 'deleted_zones',
        sortKeys: DELETED_ZONE_SORT_KEYS,
        descendingFirst: ['deleted_at'],
        filters: DELETED_ZONE_FILTERS,
        canonical: { name: canonicalFilter },
        sends: shown,
        toWire,
        list: (context, query) => deletedZones.list(context, query),
      },
      limits,
    ),
    route({
      method: 'POST',
      path: `${ONE}/restore`,
      operationId: 'restoreDeletedZone',
      guard: actingProject('restore_deleted_zone'),
      scopedReach: 'whole zones',
      tagged: asZone,
      responses: responsesCreated(202, shownZone, OF_BLACKLISTS),
      refusals: REFUSALS,
      handle(request) {
        const { base, context, params } = request;
        return replyCreated(
          request,
          (options) => deletedZones.restore(context, params.deleted_zone_id!, options),
          (made: CreatedZone) => created(202, zoneToWire(made.zone, base, 'CREATE'), made),
        );
      },
      repeat: async ({ context, base }, id) => zoneToWire(await zones.get(context, id), base, 'CREATE'),
    }),
    route({
      method: 'DELETE',
      path: ONE,
      operationId: 'forgetDeletedZone',
      guard: actingProject('forget_deleted_zone'),
      responses: responsesNothing(204),
      async handle({ context, params }) {
        await deletedZones.forget(context, params.deleted_zone_id!);
        return { status: 204 };
      },
    }),
  ];
}
