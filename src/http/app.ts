import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { IdempotencyKeyUseCases } from '../domain/idempotency/idempotency-keys.ts';
import type { Caller } from '../model/access/caller.ts';
import type { RequestContext } from '../model/context/request-context.ts';
import { NO_METRICS } from '../model/metrics/metrics-recorder.ts';
import { nextTurn, requestTurn } from '../runtime/cooperative-yield.ts';
import type { Log } from '../runtime/log.ts';
import type { ConsoleFiles } from './console/files.ts';
import { addConsole } from './console/serving.ts';
import { type AccessDeps, identify, requireAccess, tokenOf, Unauthenticated } from './edge/access.ts';
import { bodyOf } from './edge/arriving-body.ts';
import { Bodies, type BodySettings } from './edge/bodies.ts';
import type { BodyReader } from './edge/body.ts';
import { noteAuthenticated } from './edge/connections.ts';
import { answerOrigin } from './edge/cors.ts';
import { Draining } from './edge/draining.ts';
import { challenging, EdgeError, type HttpRefusal, refuse } from './edge/errors.ts';
import { type KnownPath, knownPaths, matched, noRoute } from './edge/known-paths.ts';
import { LargeAnswers, payloadOf } from './edge/large-answers.ts';
import { baseUrl, localAddress } from './edge/links.ts';
import { requireAccepted, requireReader } from './edge/negotiation.ts';
import { perform } from './edge/operation.ts';
import { matchablePath, wordsTakenForIds } from './edge/paths.ts';
import { keepPrivate, REVALIDATED } from './edge/private-answers.ts';
import { logRequest, shortened } from './edge/request-log.ts';
import { type RequestMeter, RequestMetrics } from './edge/request-metrics.ts';
import { contentTypeOf, JSON_TYPE } from './edge/responses.ts';
import type { ApiReply, Params, Route } from './edge/route.ts';
import { noteCaller, ownerOfHead } from './edge/turn-owner.ts';
import { varyBy } from './edge/vary.ts';
import { requireWritable, type Writability } from './edge/writable.ts';

export interface ApiSettings extends BodySettings {
  readonly publicUrl: string;
  readonly maxHeaderSize: number;
  readonly trustedProxies: readonly string[];
  readonly accessDeniedStatus: number;
  /** Keystone's URL, sent to clients without a valid Keystone token; undefined if Keystone tokens are not accepted. */
  readonly keystoneUrl: string | undefined;
  /** Web origins that may use the API; `*` allows all. */
  readonly allowedOrigins: readonly string[];
}

export interface ApiDeps extends Writability {
  readonly settings: ApiSettings;
  readonly access: AccessDeps;
  readonly log: Log;
  readonly idempotencyKeys: IdempotencyKeyUseCases;
  readonly routes: readonly Route[];
  /** The web console, if it is served. */
  readonly console?: ConsoleFiles | undefined;
  readonly meter?: RequestMeter;
}

/** Results of the checks on the request head, kept for the handler that runs once the body has arrived. */
interface EarlyChecks {
  readonly base: string;
  readonly context?: RequestContext;
  /** Media type of the response. */
  readonly form: string;
  /** Chosen by the Content-Type of the request. */
  readonly reader?: BodyReader<unknown>;
}
const checked = new WeakMap<FastifyRequest, EarlyChecks>();
/** Callers, for the log; set for refused requests, too. */
const callers = new WeakMap<FastifyRequest, Caller>();
/** Reason for each refusal, for the log. */
const refused = new WeakMap<FastifyRequest, object>();

/** Runs the checks that precede reading the body. The first refusal wins. */
async function checkHead(route: Route, request: FastifyRequest, deps: ApiDeps): Promise<EarlyChecks> {
  const base = baseUrl(deps.settings.publicUrl, request.headers.host, localAddress(request.raw.socket));
  if (route.guard === 'public') {
    const form = requireAccepted(request.headers, route.answers);
    return route.body === undefined
      ? { base, form }
      : { base, form, reader: requireReader(request.headers, route.body) };
  }
  const { id, method, headers, url, ip: address } = request;
  const asked = { id, method, headers, url, params: request.params as Params, address };
  const caller = await identify(asked, deps.access);
  callers.set(request, caller);
  noteAuthenticated(request.raw.socket);
  noteCaller(request.raw.socket, { token: tokenOf(headers), projectId: caller.projectId });
  const context = requireAccess(route.guard, caller, asked, deps.access.access);
  const form = requireAccepted(request.headers, route.answers);
  if (route.body === undefined) {
    // The body is not read, so its type is not checked.
    delete request.headers['content-type'];
    return { base, context, form };
  }
  const reader = requireReader(request.headers, route.body);
  // Fastify selects the streaming parser by content type alone.
  if ('readAsItArrives' in reader) request.headers['content-type'] = 'text/dns';
  return { base, context, form, reader };
}

/** A body of this size, in bytes, takes milliseconds to parse and check. */
const LARGE_BODY = 16_384;

function turnOf(projectId: string, body: unknown): Promise<void> | undefined {
  const isLarge = Buffer.isBuffer(body) && body.length >= LARGE_BODY;
  return isLarge ? nextTurn(projectId) : requestTurn({ owner: projectId, caller: projectId });
}

/** Runs the steps that follow the arrival of the body, or that read it as it arrives. */
async function run(route: Route, request: FastifyRequest, keys: IdempotencyKeyUseCases): Promise<ApiReply> {
  const { raw, url, ip: address } = request;
  const { base, context, form, reader } = checked.get(request)!;
  if (context !== undefined) await turnOf(context.projectId, request.body);
  const body = bodyOf(reader, request);
  const read = { raw, url, params: request.params as Params, base, context, form, reader, body, address };
  return perform(route, read, keys);
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

interface MemoryBounds {
  readonly bodies: Bodies;
  readonly largeAnswers: LargeAnswers;
}

/** Fastify's body options for a route. */
function bodyOptions({ method, body, maxBodySize }: Route, usual: number, bodies: Bodies) {
  if (method === 'GET') return {};
  const maxArrivingSize = Math.max(0, ...(body ?? []).map((reader) => reader.maxSize ?? 0));
  const bodyLimit = maxArrivingSize || (maxBodySize ?? usual);
  const projectOf = (request: FastifyRequest) => checked.get(request)?.context?.projectId;
  return { bodyLimit, preParsing: bodies.before({ bodyLimit, maxArrivingSize }, projectOf) };
}

function addRoute(app: FastifyInstance, route: Route, deps: ApiDeps, bounds: MemoryBounds): void {
  const { bodies, largeAnswers } = bounds;
  app.route({
    method: route.method,
    url: matched(route.path),
    ...bodyOptions(route, deps.settings.maxBodySize, bodies),
    onRequest: async (request, reply) => {
      if (route.guard !== 'public') keepPrivate(reply);
      if (route.answers.forms.length > 1) varyBy(reply, 'Accept');
      checked.set(request, await checkHead(route, request, deps));
      requireWritable(route, deps);
    },
    handler: async (request, reply) => {
      bodies.handle(request);
      try {
        if (route.isLarge) largeAnswers.hold(reply.raw, checked.get(request)!.context!.projectId);
        return send(reply, await run(route, request, deps.idempotencyKeys), checked.get(request)!.form);
      } finally {
        bodies.release(request);
      }
    },
  });
}

/** Refuses methods that a path lacks but that a parameterized path would accept, taking the last segment for an id. */
function addOtherMethods(app: FastifyInstance, known: KnownPath): void {
  app.route({
    method: app.supportedMethods.filter((method) => !known.methods.includes(method)),
    url: known.path,
    onRequest: async () => {
      throw noRoute(known);
    },
    handler: async () => undefined,
  });
}

function noteRefusal(request: FastifyRequest, error: unknown, { type, message }: HttpRefusal['body']): void {
  const credentials = error instanceof Unauthenticated ? { credentials: error.reason } : {};
  refused.set(request, { type, reason: shortened(message), ...credentials });
}

function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ApiDeps,
): FastifyReply {
  const { accessDeniedStatus, keystoneUrl } = deps.settings;
  const refusal = challenging(refuse(error, request.id, accessDeniedStatus), keystoneUrl);
  noteRefusal(request, error, refusal.body);
  if (refusal.status >= 500 && !(error instanceof EdgeError)) {
    deps.log.error({ request_id: request.id, err: error }, 'request failed');
  }
  return reply
    .code(refusal.status)
    .headers(refusal.headers)
    .header('content-type', contentTypeOf(JSON_TYPE))
    .send(JSON.stringify(refusal.body));
}

/** Builds the API's request listener. */
export async function buildApi(deps: ApiDeps): Promise<RequestListener> {
  const { settings, routes, meter = NO_METRICS } = deps;
  const findPath = knownPaths(routes, settings.maxHeaderSize);
  const figures = new RequestMetrics(meter, routes, findPath);
  const draining = new Draining();
  const app = Fastify({
    logger: false,
    bodyLimit: settings.maxBodySize,
    genReqId: () => `req-${randomUUID()}`,
    rewriteUrl: (request) => matchablePath(request.url),
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: settings.maxHeaderSize },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  app.addContentTypeParser('text/dns', (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-openstack-request-id', request.id);
    await requestTurn(ownerOfHead(request.raw.socket, tokenOf(request.headers), request.ip));
    if (answerOrigin(request, reply, settings.allowedOrigins)) return reply;
    // Checked here because the handler only runs once the body has been read and measured.
    if (request.is404) throw noRoute(findPath(request.url));
  });
  app.addHook('onResponse', async (request, reply) => {
    figures.answered(request, reply);
    const known = { caller: callers.get(request), refusal: refused.get(request) };
    logRequest(request, reply, deps.log, known);
  });
  app.setErrorHandler((error, request, reply) => {
    figures.refused(error);
    draining.add(request.raw);
    return answerError(error, request, reply, deps);
  });
  const bounds = { bodies: new Bodies(settings), largeAnswers: new LargeAnswers() };
  for (const route of routes) addRoute(app, route, deps, bounds);
  for (const word of wordsTakenForIds(routes.map((route) => route.path)))
    addOtherMethods(app, findPath(word)!);
  if (deps.console !== undefined) addConsole(app, deps.console);
  await app.ready();
  return (request, response) => app.routing(request, response);
}
