import { canonicalFilter } from '../../dns/names.ts';
import type { PoolMoveUseCases } from '../../domain/publication/pool-moves.ts';
import type { SecondaryUseCases } from '../../domain/secondaries/secondaries.ts';
import { object, parsed } from '../../domain/shapes/shape.ts';
import type { CreatedZone } from '../../domain/zones/zone-create-request.ts';
import type { ZoneUseCases } from '../../domain/zones/zones.ts';
import { ZONE_FILTERS, ZONE_SORT_KEYS, type Zone } from '../../model/zones/zone.ts';
import { saysTrue } from '../edge/access.ts';
import { optionalBody } from '../edge/body.ts';
import { OF_BLACKLISTS, responsesCreated, responsesNothing, responsesWith } from '../edge/responses.ts';
import {
  type ApiRequest,
  actingProject,
  created,
  type Route,
  replyCreated,
  route,
  tagged,
} from '../edge/route.ts';
import { parseUuid } from '../edge/uuid.ts';
import { listRoute } from '../lists/list.ts';
import type { PageLimits } from '../lists/list-query.ts';
import { shownZone, zoneToWire } from './zone-answers.ts';
import { zoneCreateBody, zoneUpdateBody } from './zone-bodies.ts';

/** A zone as its ETag is computed. */
export const asZone = tagged((zone: Zone) => zoneToWire(zone, ''));

function endsShares(headers: ApiRequest<unknown, unknown>['headers']): boolean {
  return saysTrue(headers['x-designate-delete-shares']);
}

const moveBody = optionalBody(
  object({}, { pool_id: parsed(parseUuid, { format: 'uuid', description: 'ID of the pool.' }) }),
);

/** Starts a new transfer of a secondary zone from its masters. */
export function transferAnewRoute(secondaries: Pick<SecondaryUseCases, 'transferAnew'>): Route {
  return route({
    method: 'POST',
    path: '/v2/zones/{zone_id}/tasks/xfr',
    guard: actingProject('xfr_zone'),
    responses: responsesNothing(202),
    async handle({ params, context }) {
      await secondaries.transferAnew(context, params.zone_id!);
      return { status: 202 };
    },
  });
}

/** Errors that any zone create can cause. */
export const ZONE_CREATION_REFUSALS = [
  'blacklisted_name',
  'invalid_tld',
  'duplicate_zone',
  'illegal_child',
  'illegal_parent',
  'over_quota',
] as const;

/** Zone actions. */
function zoneActionRoutes(zones: ZoneUseCases, moves: PoolMoveUseCases): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v2/zones/{zone_id}/tasks/abandon',
      guard: actingProject('abandon_zone'),
      headers: ['X-Designate-Delete-Shares'],
      responses: responsesNothing(204),
      refusals: ['protected', 'zone_has_sub_zone', 'zone_is_shared'],
      async handle({ params, context, headers }) {
        await zones.abandon(context, params.zone_id!, { endsShares: endsShares(headers) });
        return { status: 204 };
      },
    }),
    route({
      method: 'POST',
      path: '/v2/zones/{zone_id}/tasks/pool_move',
      guard: actingProject('pool_move_zone'),
      body: moveBody,
      responses: responsesNothing(202),
      async handle({ params, body, context }) {
        await moves.move(context, params.zone_id!, body.pool_id);
        return { status: 202 };
      },
    }),
  ];
}

/** The operations on zones. */
export function zoneRoutes(zones: ZoneUseCases, moves: PoolMoveUseCases, limits: PageLimits): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v2/zones',
      guard: actingProject('create_zone'),
      scopedReach: 'by scope',
      body: zoneCreateBody,
      tagged: asZone,
      responses: responsesCreated(202, shownZone, OF_BLACKLISTS),
      refusals: ZONE_CREATION_REFUSALS,
      handle(request) {
        const { body, base } = request;
        return replyCreated(
          request,
          (options) => zones.create(request.context, body, options),
          (made: CreatedZone) => created(202, zoneToWire(made.zone, base, 'CREATE'), made),
        );
      },
      repeat: async ({ context, base }, id) => zoneToWire(await zones.get(context, id), base, 'CREATE'),
    }),
    listRoute(
      {
        path: '/v2/zones',
        rule: 'find_zones',
        scopedReach: 'by scope',
        key: 'zones',
        sortKeys: ZONE_SORT_KEYS,
        filters: ZONE_FILTERS,
        canonical: { name: canonicalFilter, shared: (text) => text.toLowerCase() },
        sends: shownZone,
        toWire: (zone: Zone, base) => zoneToWire(zone, base),
        list: (context, query) => zones.list(context, query),
        isCounted: true,
      },
      limits,
    ),
    route({
      method: 'GET',
      path: '/v2/zones/{zone_id}',
      guard: actingProject('get_zone'),
      scopedReach: 'by scope',
      tagged: asZone,
      responses: responsesWith(200, shownZone),
      handle: async ({ params, context, precondition, base }) => ({
        status: 200,
        body: zoneToWire(await zones.get(context, params.zone_id!, { precondition }), base),
      }),
    }),
    route({
      method: 'PATCH',
      path: '/v2/zones/{zone_id}',
      guard: actingProject('update_zone'),
      scopedReach: 'by scope',
      body: zoneUpdateBody,
      tagged: asZone,
      responses: responsesWith(202, shownZone),
      refusals: ['protected'],
      async handle({ params, body, context, precondition, base }) {
        const id = params.zone_id!;
        const options = { precondition };
        const changes = await body.resolveAgainst(async () =>
          zoneToWire(await zones.get(context, id, options), base),
        );
        const zone = await zones.update(context, id, changes, options);
        return { status: 202, body: zoneToWire(zone, base, 'UPDATE') };
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/zones/{zone_id}',
      guard: actingProject('delete_zone'),
      scopedReach: 'by scope',
      tagged: asZone,
      headers: ['X-Designate-Delete-Shares', 'X-Designate-Hard-Delete'],
      responses: responsesWith(202, shownZone),
      refusals: ['protected', 'zone_has_sub_zone', 'zone_is_shared'],
      async handle({ params, context, precondition, base, headers }) {
        const isHard = saysTrue(headers['x-designate-hard-delete']);
        const deletion = { isHard, endsShares: endsShares(headers), precondition };
        return {
          status: 202,
          body: zoneToWire(await zones.remove(context, params.zone_id!, deletion), base, 'DELETE'),
        };
      },
    }),
    ...zoneActionRoutes(zones, moves),
  ];
}
