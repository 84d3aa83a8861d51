import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { NO_METRICS } from '../model/metrics/metrics-recorder.ts';
import { requestTurn } from '../runtime/cooperative-yield.ts';
import type { Log } from '../runtime/log.ts';
import type { ConsoleFiles } from './console/files.ts';
import { addConsole } from './console/serving.ts';
import { tokenOf, Unauthenticated } from './edge/access.ts';
import { Bodies, type BodySettings } from './edge/bodies.ts';
import type { TextRefusal } from './edge/client-protocol.ts';
import { applyCors } from './edge/cors.ts';
import { Draining } from './edge/draining.ts';
import { challenging, EdgeError, type HttpRefusal, kindOf, refuse } from './edge/errors.ts';
import {
  type FindPath,
  type KnownPath,
  knownPaths,
  matched,
  noRoute,
  takesHead,
} from './edge/known-paths.ts';
import { LargeResponses } from './edge/large-responses.ts';
import { matchablePath, wordsTakenForIds } from './edge/paths.ts';
import { type PipelineDeps, pipelineOf } from './edge/pipeline.ts';
import { logRequest, shortened } from './edge/request-log.ts';
import { type RequestMeter, RequestMetrics } from './edge/request-metrics.ts';
import { contentTypeOf, JSON_TYPE, TEXT_TYPE } from './edge/responses.ts';
import type { Route } from './edge/route.ts';
import { ownerOfHead } from './edge/turn-owner.ts';

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

export interface ApiDeps extends Omit<PipelineDeps, 'publicUrl' | 'bodies' | 'largeResponses'> {
  readonly settings: ApiSettings;
  readonly log: Log;
  readonly routes: readonly Route[];
  /** The web console, if it is served. */
  readonly console?: ConsoleFiles | undefined;
  readonly meter?: RequestMeter;
}

/**
 * Serves a route from Fastify's first hook, which is given the request before Fastify reads its body. The hook never
 * calls `done` without an error, so that Fastify does nothing more.
 */
function addRoute(app: FastifyInstance, route: Route, deps: PipelineDeps, usualBodySize: number): void {
  const serve = pipelineOf(route, deps, usualBodySize);
  app.route({
    method: route.method,
    url: matched(route.path),
    exposeHeadRoute: takesHead(route),
    onRequest: (request, reply, done) => void serve(request, reply).catch(done),
    handler: async () => undefined,
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
  request.refusal = { type, reason: shortened(message), ...credentials };
}

function sendText({ status, headers, text }: TextRefusal, reply: FastifyReply): FastifyReply {
  return reply.code(status).headers(headers).header('content-type', contentTypeOf(TEXT_TYPE)).send(text);
}

function sendError(
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
  const { clientProtocol } = request;
  if (clientProtocol !== undefined) return sendText(clientProtocol.refuse(kindOf(error), refusal), reply);
  return reply
    .code(refusal.status)
    .headers(refusal.headers)
    .header('content-type', contentTypeOf(JSON_TYPE))
    .send(JSON.stringify(refusal.body));
}

/**
 * The steps that precede every route.
 * @returns true if the request is answered
 */
async function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: ApiSettings,
  findPath: FindPath,
) {
  reply.header('x-openstack-request-id', request.id);
  await requestTurn(ownerOfHead(request.raw.socket, tokenOf(request.headers), request.ip));
  if (applyCors(request, reply, settings.allowedOrigins)) return true;
  if (request.is404) throw noRoute(findPath(request.url));
  return false;
}

/** Builds the API's request listener. */
export async function buildApi(deps: ApiDeps): Promise<RequestListener> {
  const { settings, routes, meter = NO_METRICS } = deps;
  const findPath = knownPaths(routes, settings.maxHeaderSize);
  const metrics = new RequestMetrics(meter, routes, findPath);
  const draining = new Draining();
  const app = Fastify({
    logger: false,
    genReqId: () => `req-${randomUUID()}`,
    rewriteUrl: (request) => matchablePath(request.url),
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: settings.maxHeaderSize },
  });
  app.decorateRequest('caller', undefined);
  app.decorateRequest('refusal', undefined);
  app.decorateRequest('clientProtocol', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply, settings, findPath).then((isAnswered) => isAnswered || done(), done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    metrics.answered(request, reply);
    logRequest(request, reply, deps.log);
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    metrics.refused(error);
    draining.add(request.raw);
    return sendError(error, request, reply, deps);
  });
  const { publicUrl, maxBodySize } = settings;
  const bounds = { bodies: new Bodies(settings), largeResponses: new LargeResponses() };
  for (const route of routes) addRoute(app, route, { ...deps, ...bounds, publicUrl }, maxBodySize);
  for (const word of wordsTakenForIds(routes.map((route) => route.path)))
    addOtherMethods(app, findPath(word)!);
  if (deps.console !== undefined) addConsole(app, deps.console);
  await app.ready();
  return (request, response) => app.routing(request, response);
}
