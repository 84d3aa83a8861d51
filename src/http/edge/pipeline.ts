/** The steps of a request to the API, from its head to its response. The first refusal ends it. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdempotencyKeyUseCases } from '../../domain/idempotency/idempotency-keys.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { nextTurn, requestTurn } from '../../runtime/cooperative-yield.ts';
import { type AccessDeps, identify, requireAccess, tokenOf } from './access.ts';
import type { Bodies, BodyLimits, ReceivedBody } from './bodies.ts';
import type { BodyReader } from './body.ts';
import type { ClientProtocol } from './client-protocol.ts';
import { noteAuthenticated } from './connections.ts';
import type { RequestHeaders } from './headers.ts';
import { type LargeResponses, payloadOf } from './large-responses.ts';
import { baseUrl, localAddress } from './links.ts';
import { requireAccepted, requireReader } from './negotiation.ts';
import { perform } from './operation.ts';
import { keepPrivate, REVALIDATED } from './private-responses.ts';
import { contentTypeOf } from './responses.ts';
import type { ApiReply, Params, Route } from './route.ts';
import { noteCaller } from './turn-owner.ts';
import { varyBy } from './vary.ts';
import { requireWritable, type Writability } from './writable.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the credentials are valid, even if the request is refused later. For the log. */
    caller: Caller | undefined;
    /** The reason for a refusal, for the log. */
    refusal: object | undefined;
    /** The protocol of its route; undefined for that of the API. */
    clientProtocol: ClientProtocol | undefined;
  }
}

export interface PipelineDeps extends Writability {
  readonly publicUrl: string;
  readonly access: AccessDeps;
  readonly idempotencyKeys: IdempotencyKeyUseCases;
  readonly bodies: Bodies;
  readonly largeResponses: LargeResponses;
}

/** A request whose head is in order. */
interface CheckedHead {
  readonly params: Params;
  readonly base: string;
  /** Undefined on a public route. */
  readonly context: RequestContext | undefined;
  /** Media type of the response. */
  readonly form: string;
  /** Chosen by the Content-Type of the request. */
  readonly reader: BodyReader<unknown> | undefined;
}

async function checkAccess(route: Route, request: FastifyRequest, params: Params, deps: AccessDeps) {
  const { guard } = route;
  if (guard === 'public') return undefined;
  const { id, raw, method, headers, url, ip: address } = request;
  const token = (route.protocol?.tokenOf ?? tokenOf)(headers);
  const asked = { id, method, headers, token, url, params, address };
  const caller = await identify(asked, deps);
  request.caller = caller;
  noteAuthenticated(raw.socket);
  noteCaller(raw.socket, { token, projectId: caller.projectId });
  return requireAccess({ ...route, guard }, caller, asked, deps);
}

/** The media type of the response. Clients of another protocol cannot choose. */
function formOf({ protocol, responses }: Route, headers: RequestHeaders): string {
  return protocol === undefined ? requireAccepted(headers, responses) : responses.forms[0]!.mediaType;
}

async function checkHead(route: Route, request: FastifyRequest, deps: PipelineDeps): Promise<CheckedHead> {
  const { raw, headers } = request;
  const params = request.params as Params;
  const base = baseUrl(deps.publicUrl, headers.host, localAddress(raw.socket));
  const context = await checkAccess(route, request, params, deps.access);
  const form = formOf(route, headers);
  // A body that is not read may have any type.
  const reader = route.body && requireReader(headers, route.body);
  requireWritable(route, deps);
  return { params, base, context, form, reader };
}

const NO_BODY: ReceivedBody = { content: undefined, release() {} };

/** Body limits of a route. @param usual default maximum size, in bytes */
function limitsOf({ body, maxBodySize }: Route, usual: number): BodyLimits {
  const maxArrivingSize = Math.max(0, ...(body ?? []).map((reader) => reader.maxSize ?? 0));
  return { maxSize: maxArrivingSize || (maxBodySize ?? usual), maxArrivingSize };
}

/** A body of this size, in bytes, takes milliseconds to parse and check. */
const LARGE_BODY = 16_384;

function turnOf(projectId: string, body: unknown): Promise<void> | undefined {
  const isLarge = Buffer.isBuffer(body) && body.length >= LARGE_BODY;
  return isLarge ? nextTurn(projectId) : requestTurn({ owner: projectId, caller: projectId });
}

function send(reply: FastifyReply, answer: ApiReply, form: string): FastifyReply {
  reply.code(answer.status);
  if (answer.headers?.etag !== undefined) reply.header('cache-control', REVALIDATED);
  reply.headers(answer.headers ?? {});
  const { body } = answer;
  // A 304 gives the length of the body it stands for, or none (RFC 9110, section 8.6).
  if (answer.status === 304 && reply.request.method !== 'HEAD') return reply.send();
  if (body === undefined) return reply.header('content-length', '0').send();
  reply.header('content-type', answer.contentType ?? contentTypeOf(form));
  if (typeof body === 'string') return reply.send(payloadOf(body));
  if (!(Symbol.asyncIterator in body)) return reply.send(payloadOf(JSON.stringify(body)));
  // The length of a streamed body is unknown for HEAD, too.
  const parts = reply.request.method === 'HEAD' ? [] : body;
  return reply.send(Readable.from(parts, { objectMode: true }));
}

/**
 * Returns the function that serves the requests of a route.
 * @param usualBodySize default maximum size of a body, in bytes
 */
export function pipelineOf(route: Route, deps: PipelineDeps, usualBodySize: number) {
  const limits = limitsOf(route, usualBodySize);

  async function receive({ raw, ip: address }: FastifyRequest, { context, reader }: CheckedHead) {
    if (route.method === 'GET') return NO_BODY;
    return deps.bodies.receive({ raw, address, projectId: context?.projectId, reader }, limits);
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, head: CheckedHead, body: ReceivedBody) {
    const { raw, url, ip: address } = request;
    const { context, form } = head;
    if (context !== undefined) await turnOf(context.projectId, body.content);
    const takeSlot = () => {
      if (route.isLarge) deps.largeResponses.hold(reply.raw, context!.projectId);
    };
    const read = { raw, url, address, body: body.content, takeSlot, ...head };
    send(reply, await perform(route, read, deps.idempotencyKeys), form);
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.clientProtocol = route.protocol;
    if (route.guard !== 'public') keepPrivate(reply);
    if (route.responses.forms.length > 1) varyBy(reply, 'Accept');
    const head = await checkHead(route, request, deps);
    const body = await receive(request, head);
    try {
      await answer(request, reply, head, body);
    } finally {
      body.release();
    }
  };
}
