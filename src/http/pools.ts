import {
  poolAttributes,
  poolDescription,
  poolName,
  poolNsRecords,
  poolProject,
} from '../domain/pools/pool-shapes.ts';
import type { PoolUseCases, ShownPool } from '../domain/pools/pools.ts';
import { object } from '../domain/shapes/shape.ts';
import { POOL_FILTERS, POOL_SORT_KEYS, publishesPlaceholder } from '../model/pools/pool.ts';
import { jsonBody } from './edge/body.ts';
import { patchBody } from './edge/patch-body.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesCreated, responsesNothing, responsesWith } from './edge/responses.ts';
import { actingProject, created, type Route, replyCreated, route } from './edge/route.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';

const PATH = '/v2/pools';
const ONE = `${PATH}/{pool_id}`;

const nsRecord = responseSchema.object({
  hostname: responseSchema.text({ examples: ['ns1.example.net.'] }),
  priority: responseSchema.integer({ examples: [10] }),
});
const shown = responseSchema.titled(
  'Pool',
  responseSchema.object(
    {
      id: responseSchema.id,
      name: responseSchema.text({ examples: ['default'] }),
      description: responseSchema.nullable(responseSchema.text()),
      attributes: responseSchema.dictionary(responseSchema.text()),
      ns_records: responseSchema.list(nsRecord),
      project_id: responseSchema.nullable(responseSchema.projectId),
      created_at: responseSchema.time,
      updated_at: responseSchema.nullable(responseSchema.time),
      links: responseSchema.object({ self: responseSchema.link }),
    },
    {
      // Present only if true: the pool's zones are published with the NS ns1.invalid., which no resolver can follow.
      publishes_placeholder: responseSchema.flag,
    },
  ),
);

/** Omits servers and keys: only the command line shows where packets go. */
function toWire(pool: ShownPool, base: string): ResponseBody<typeof shown> {
  return {
    id: pool.id,
    name: pool.name,
    description: pool.description,
    attributes: pool.attributes,
    ns_records: pool.nsRecords,
    project_id: pool.projectId,
    created_at: pool.createdAt,
    updated_at: pool.updatedAt,
    links: { self: `${base}${PATH}/${pool.id}` },
    // The pool's NS records are those of its zones, including any from the configuration.
    ...(publishesPlaceholder(pool, []) ? { publishes_placeholder: true } : {}),
  };
}

const createBody = jsonBody(
  object(
    { name: poolName, ns_records: poolNsRecords },
    { description: poolDescription, attributes: poolAttributes, project_id: poolProject },
  ),
);
const updateBody = patchBody(
  object(
    {},
    {
      name: poolName,
      ns_records: poolNsRecords,
      description: poolDescription,
      attributes: poolAttributes,
    },
  ),
);

/** Operations on pools, and the name servers of a zone. */
export function poolRoutes(pools: PoolUseCases, limits: PageLimits): Route[] {
  return [
    route({
      method: 'POST',
      path: PATH,
      guard: actingProject('create_pool'),
      body: createBody,
      responses: responsesCreated(201, shown),
      refusals: ['duplicate_pool'],
      handle(request) {
        const { name, ns_records: nsRecords, project_id: projectId = null } = request.body;
        const { description = null, attributes = {} } = request.body;
        return replyCreated(
          request,
          (options) =>
            pools.create(request.context, { name, nsRecords, description, attributes, projectId }, options),
          (pool: ShownPool) => created(201, toWire(pool, request.base)),
        );
      },
    }),
    listRoute(
      {
        path: PATH,
        rule: 'find_pools',
        key: 'pools',
        sortKeys: POOL_SORT_KEYS,
        filters: POOL_FILTERS,
        sends: shown,
        toWire,
        list: (context, query) => pools.list(context, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: ONE,
      guard: actingProject('get_pool'),
      responses: responsesWith(200, shown),
      handle: async ({ context, params, base }) => ({
        status: 200,
        body: toWire(await pools.get(context, params.pool_id!), base),
      }),
    }),
    route({
      method: 'PATCH',
      path: ONE,
      guard: actingProject('update_pool'),
      body: updateBody,
      responses: responsesWith(202, shown),
      refusals: ['duplicate_pool'],
      async handle({ context, params, body, base }) {
        const id = params.pool_id!;
        const { ns_records, ...rest } = await body.resolveAgainst(async () =>
          toWire(await pools.get(context, id), base),
        );
        const changes = ns_records === undefined ? rest : { ...rest, nsRecords: ns_records };
        return { status: 202, body: toWire(await pools.update(context, id, changes), base) };
      },
    }),
    route({
      method: 'DELETE',
      path: ONE,
      guard: actingProject('delete_pool'),
      responses: responsesNothing(204),
      refusals: ['pool_has_zones', 'default_pool'],
      async handle({ context, params }) {
        await pools.remove(context, params.pool_id!);
        return { status: 204 };
      },
    }),
    route({
      method: 'GET',
      path: '/v2/zones/{zone_id}/nameservers',
      guard: actingProject('get_zone_ns_records'),
      operationId: 'listZoneNameServers',
      responses: responsesWith(200, responseSchema.object({ nameservers: responseSchema.list(nsRecord) })),
      handle: async ({ context, params }) => ({
        status: 200,
        body: { nameservers: await pools.nameServersOf(context, params.zone_id!) },
      }),
    }),
  ];
}
