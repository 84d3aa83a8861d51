import { nullable, object, parsed, text } from '../domain/shapes/shape.ts';
import type { TransferAcceptUseCases } from '../domain/transfers/transfer-accepts.ts';
import type { TransferRequestUseCases } from '../domain/transfers/transfer-requests.ts';
import { isProjectId, PROJECT_ID_RULE } from '../model/project-id.ts';
import { descriptionFault, storableFault } from '../model/text.ts';
import {
  type SeenTransferRequest,
  TRANSFER_FILTERS,
  TRANSFER_SORT_KEYS,
  type TransferAccept,
  type TransferRequest,
} from '../model/transfers/transfer.ts';
import { jsonBody, optionalBody } from './edge/body.ts';
import { patchBody } from './edge/patch-body.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesCreated, responsesNothing, responsesWith } from './edge/responses.ts';
import { actingProject, created, type Route, replyCreated, route } from './edge/route.ts';
import { parseUuid } from './edge/uuid.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';

const REQUESTS = '/v2/zones/tasks/transfer_requests';
const ACCEPTS = '/v2/zones/tasks/transfer_accepts';
const LISTED = { sortKeys: TRANSFER_SORT_KEYS, filters: TRANSFER_FILTERS };

const KEY = 'FUGXMZ5N';
const shownRequest = responseSchema.titled(
  'ZoneTransferRequest',
  responseSchema.object(
    {
      id: responseSchema.id,
      zone_id: responseSchema.id,
      zone_name: responseSchema.text({ examples: ['example.org.'] }),
      project_id: responseSchema.projectId,
      description: responseSchema.nullable(responseSchema.text()),
      status: responseSchema.choice(['ACTIVE', 'COMPLETE', 'ERROR']),
      created_at: responseSchema.time,
      updated_at: responseSchema.nullable(responseSchema.time),
      links: responseSchema.object({ self: responseSchema.link }),
    },
    {
      target_project_id: responseSchema.nullable(responseSchema.projectId),
      key: responseSchema.text({ examples: [KEY] }),
    },
  ),
);
const shownAccept = responseSchema.titled(
  'ZoneTransferAccept',
  responseSchema.object({
    id: responseSchema.id,
    status: responseSchema.choice(['COMPLETE']),
    zone_id: responseSchema.id,
    project_id: responseSchema.projectId,
    key: responseSchema.text({ examples: [KEY] }),
    zone_transfer_request_id: responseSchema.id,
    created_at: responseSchema.time,
    updated_at: responseSchema.nullable(responseSchema.time),
    links: responseSchema.object({ self: responseSchema.link, zone: responseSchema.link }),
  }),
);

/** Converts a transfer request to wire format. Its key and target are omitted if the client may not see them. */
function requestToWire(request: SeenTransferRequest, base: string): ResponseBody<typeof shownRequest> {
  return {
    id: request.id,
    zone_id: request.zoneId,
    zone_name: request.zoneName,
    project_id: request.projectId,
    target_project_id: request.targetProjectId,
    description: request.description,
    key: request.key,
    status: request.status,
    created_at: request.createdAt,
    updated_at: request.updatedAt,
    links: { self: `${base}${REQUESTS}/${request.id}` },
  };
}

function acceptToWire(accept: TransferAccept, base: string): ResponseBody<typeof shownAccept> {
  return {
    id: accept.id,
    status: 'COMPLETE',
    zone_id: accept.zoneId,
    project_id: accept.projectId,
    key: accept.key,
    zone_transfer_request_id: accept.requestId,
    created_at: accept.createdAt,
    updated_at: null,
    links: { self: `${base}${ACCEPTS}/${accept.id}`, zone: `${base}/v2/zones/${accept.zoneId}` },
  };
}

const projectId = text((given) => (isProjectId(given) ? undefined : PROJECT_ID_RULE), { maxLength: 64 });
const request = object(
  {},
  {
    description: nullable(text(descriptionFault, { maxLength: 1024 })),
    target_project_id: nullable(projectId),
  },
);
const offerBody = optionalBody(request);
const requestBody = patchBody(request);
const acceptBody = jsonBody(
  object(
    {
      zone_transfer_request_id: parsed(parseUuid, { format: 'uuid' }),
      key: text(storableFault, { examples: [KEY] }),
    },
    {},
  ),
);

function requestRoutes(requests: TransferRequestUseCases, limits: PageLimits): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v2/zones/{zone_id}/tasks/transfer_requests',
      guard: actingProject('create_zone_transfer_request'),
      body: offerBody,
      responses: responsesCreated(201, shownRequest),
      refusals: ['duplicate_transfer_request', 'unknown_project'],
      handle(request) {
        const { params, body, base } = request;
        const draft = { description: body.description, targetProjectId: body.target_project_id };
        return replyCreated(
          request,
          (options) => requests.create(request.context, params.zone_id!, draft, options),
          (offer: TransferRequest) => created(201, requestToWire(offer, base)),
        );
      },
    }),
    listRoute(
      {
        ...LISTED,
        path: REQUESTS,
        rule: 'find_zone_transfer_requests',
        key: 'transfer_requests',
        sends: shownRequest,
        toWire: requestToWire,
        list: (context, query) => requests.list(context, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: `${REQUESTS}/{zone_transfer_request_id}`,
      guard: actingProject('get_zone_transfer_request'),
      responses: responsesWith(200, shownRequest),
      handle: async ({ params, context, base }) => ({
        status: 200,
        body: requestToWire(await requests.get(context, params.zone_transfer_request_id!), base),
      }),
    }),
    route({
      method: 'PATCH',
      path: `${REQUESTS}/{zone_transfer_request_id}`,
      guard: actingProject('update_zone_transfer_request'),
      body: requestBody,
      responses: responsesWith(200, shownRequest),
      refusals: ['foreign_transfer_request', 'invalid_transfer_request', 'unknown_project'],
      async handle({ params, body, context, base }) {
        const id = params.zone_transfer_request_id!;
        const asked = await body.resolveAgainst(async () =>
          requestToWire(await requests.get(context, id), base),
        );
        const changes = { description: asked.description, targetProjectId: asked.target_project_id };
        const changed = await requests.update(context, id, changes);
        return { status: 200, body: requestToWire(changed, base) };
      },
    }),
    route({
      method: 'DELETE',
      path: `${REQUESTS}/{zone_transfer_request_id}`,
      guard: actingProject('delete_zone_transfer_request'),
      responses: responsesNothing(204),
      refusals: ['foreign_transfer_request'],
      async handle({ params, context }) {
        await requests.remove(context, params.zone_transfer_request_id!);
        return { status: 204 };
      },
    }),
  ];
}

function acceptRoutes(accepts: TransferAcceptUseCases, limits: PageLimits): Route[] {
  return [
    route({
      method: 'POST',
      path: ACCEPTS,
      guard: actingProject('create_zone_transfer_accept'),
      body: acceptBody,
      responses: responsesCreated(201, shownAccept),
      refusals: [
        'transfer_request_not_found',
        'invalid_transfer_request',
        'foreign_transfer_request',
        'wrong_transfer_key',
        'protected',
        'over_quota',
        'illegal_child',
        'illegal_parent',
      ],
      handle(request) {
        const { body, base } = request;
        const draft = { requestId: body.zone_transfer_request_id, key: body.key };
        return replyCreated(
          request,
          (options) => accepts.create(request.context, draft, options),
          (accept: TransferAccept) => created(201, acceptToWire(accept, base)),
        );
      },
    }),
    listRoute(
      {
        ...LISTED,
        path: ACCEPTS,
        rule: 'find_zone_transfer_accepts',
        key: 'transfer_accepts',
        sends: shownAccept,
        toWire: acceptToWire,
        list: (context, query) => accepts.list(context, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: `${ACCEPTS}/{zone_transfer_accept_id}`,
      guard: actingProject('get_zone_transfer_accept'),
      responses: responsesWith(200, shownAccept),
      handle: async ({ params, context, base }) => ({
        status: 200,
        body: acceptToWire(await accepts.get(context, params.zone_transfer_accept_id!), base),
      }),
    }),
  ];
}

/** The operations on zone transfer requests and accepts. */
export function transferRoutes(
  useCases: { transferRequests: TransferRequestUseCases; transferAccepts: TransferAcceptUseCases },
  limits: PageLimits,
): Route[] {
  return [
    ...requestRoutes(useCases.transferRequests, limits),
    ...acceptRoutes(useCases.transferAccepts, limits),
  ];
}
