import { randomUUID } from 'node:crypto';
import { METHODS, type RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Act } from '../domain/acts/act.ts';
import type { Caller } from '../domain/acts/caller.ts';
import { NO_METER } from '../domain/figures/meter.ts';
import type { IdempotencyKeyUseCases } from '../domain/idempotency/idempotency-keys.ts';
import type { Log } from '../domain/log.ts';
import { type AccessDeps, identify, requireAccess, Unauthenticated } from './access.ts';
import { contentTypeOf, JSON_TYPE } from './answers.ts';
import { bodyOf } from './arriving-body.ts';
import type { BodyReader } from './body.ts';
import type { ConsoleFiles } from './console/files.ts';
import { addConsole } from './console/serving.ts';
import { answerOrigin } from './cors.ts';
import { challenging, EdgeError, type Refusal, refuse } from './errors.ts';
import { LargeAnswers } from './large-answers.ts';
import { LargeBodies, type LargeBodySettings } from './large-bodies.ts';
import { baseUrl, localAddress } from './links.ts';
import { requireAccepted, requireReader } from './negotiation.ts';
import { perform } from './operation.ts';
import { matchablePath, wordsOnTheWay } from './paths.ts';
import { RequestFigures, type RequestMeter } from './request-figures.ts';
import { logRequest, shortened } from './request-log.ts';
import type { ApiReply, Params, Route } from './route.ts';
import { varyBy } from './vary.ts';

export interface ApiSettings extends LargeBodySettings {
  readonly publicUrl: string;
  readonly maxHeaderSize: number;
  readonly trustedProxies: readonly string[];
  readonly accessDeniedStatus: number;
  /** The URL of Keystone, for clients without a valid token of it; undefined if its tokens are not accepted. */
  readonly keystoneUrl: string | undefined;
  /** The origins of web pages that may use the API; `*` for all. */
  readonly allowedOrigins: readonly string[];
}

export interface ApiDeps {
  readonly settings: ApiSettings;
  readonly access: AccessDeps;
  readonly log: Log;
  readonly idempotencyKeys: IdempotencyKeyUseCases;
  readonly routes: readonly Route[];
  /** The page for people, if it is served. */
  readonly console?: ConsoleFiles | undefined;
  readonly meter?: RequestMeter;
}

/** Results of the first checks, for the handler that runs after the body has arrived. */
interface Checked {
  readonly base: string;
  readonly act?: Act;
  /** The media type of the answer. */
  readonly form: string;
  /** For the Content-Type of the body. */
  readonly reader?: BodyReader<unknown>;
}
const checked = new WeakMap<FastifyRequest, Checked>();
/** The caller, for the log, also if the request is refused. */
const callers = new WeakMap<FastifyRequest, Caller>();
/** Why a request was refused, for the log. */
const refused = new WeakMap<FastifyRequest, object>();
/** Releases the slot of a large body. */
const places = new WeakMap<FastifyRequest, () => void>();
/** The requests whose handler has started: it runs to its end, even if the client has gone. */
const handled = new WeakSet<FastifyRequest>();

/** The checks before the body is read; the first refusal wins. */
async function checkHead(route: Route, request: FastifyRequest, deps: ApiDeps): Promise<Checked> {
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
  const act = requireAccess(route.guard, caller, asked, deps.access.access);
  const form = requireAccepted(request.headers, route.answers);
  if (route.body === undefined) {
    // The type of a body that is not read is not checked.
    delete request.headers['content-type'];
    return { base, act, form };
  }
  const reader = requireReader(request.headers, route.body);
  // Fastify leaves the body as it arrives by its type alone.
  if ('readAsItArrives' in reader) request.headers['content-type'] = 'text/dns';
  return { base, act, form, reader };
}

/** The steps after the body has arrived, or as it arrives. */
function run(route: Route, request: FastifyRequest, keys: IdempotencyKeyUseCases): Promise<ApiReply> {
  const { raw, url, ip: address } = request;
  const { base, act, form, reader } = checked.get(request)!;
  const body = bodyOf(reader, request);
  return perform(
    route,
    { raw, url, params: request.params as Params, base, act, form, reader, body, address },
    keys,
  );
}

function send(reply: FastifyReply, answer: ApiReply, form: string): FastifyReply {
  reply.code(answer.status).headers(answer.headers ?? {});
  const { body } = answer;
  // Its length is that of the body that it stands for, or is left out (RFC 9110, section 8.6).
  if (answer.status === 304 && reply.request.method !== 'HEAD') return reply.send();
  if (body === undefined) return reply.header('content-length', '0').send();
  reply.header('content-type', answer.contentType ?? contentTypeOf(form));
  if (typeof body === 'string') return reply.send(body);
  if (!(Symbol.asyncIterator in body)) return reply.send(JSON.stringify(body));
  // What a HEAD does not send has a length that is not known either.
  const parts = reply.request.method === 'HEAD' ? [] : body;
  return reply.send(Readable.from(parts, { objectMode: true }));
}

/** Releases the slot of a request with a large body, if it has one. */
const release = (request: FastifyRequest): void => places.get(request)?.();

/** The options of a route whose bodies may be large: such a body has a slot until the request is handled, or gone. */
function largeBodyOptions(maxSize: number, largeBodies: LargeBodies) {
  const preParsing = async (request: FastifyRequest, reply: FastifyReply, source: Readable) => {
    const act = checked.get(request)?.act;
    // A request whose body could not be read has been refused by now, and sends nothing more.
    if (act === undefined || !request.raw.socket.writable) return source;
    const received = largeBodies.receive(source, request.headers, maxSize, act.projectId);
    places.set(request, received.release);
    reply.raw.once('close', () => {
      if (!handled.has(request)) release(request);
    });
    return received.body;
  };
  return { bodyLimit: maxSize, preParsing };
}

/** A path in Fastify's syntax. */
const matched = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

interface Bounds {
  readonly largeBodies: LargeBodies;
  readonly largeAnswers: LargeAnswers;
}

function addRoute(app: FastifyInstance, route: Route, deps: ApiDeps, bounds: Bounds): void {
  const { largeBodies, largeAnswers } = bounds;
  const maxSize = Math.max(0, ...(route.body ?? []).map((reader) => reader.maxSize ?? 0));
  app.route({
    method: route.method,
    url: matched(route.path),
    ...(route.maxBodySize === undefined ? {} : { bodyLimit: route.maxBodySize }),
    ...(maxSize === 0 ? {} : largeBodyOptions(maxSize, largeBodies)),
    onRequest: async (request, reply) => {
      if (route.answers.forms.length > 1) varyBy(reply, 'Accept');
      checked.set(request, await checkHead(route, request, deps));
    },
    handler: async (request, reply) => {
      handled.add(request);
      try {
        if (route.isLarge) largeAnswers.hold(reply.raw, checked.get(request)!.act!.projectId);
        return send(reply, await run(route, request, deps.idempotencyKeys), checked.get(request)!.form);
      } finally {
        release(request);
      }
    },
  });
}

/** Answers 405 to every method that a path does not support. */
function addOtherMethods(app: FastifyInstance, path: string, routes: readonly Route[]): void {
  const known: string[] = routes.filter((route) => route.path === path).map((route) => route.method);
  if (known.includes('GET')) known.push('HEAD');
  app.route({
    method: app.supportedMethods.filter((method) => !known.includes(method)),
    url: matched(path),
    onRequest: async () => {
      throw new EdgeError('method_not_allowed', undefined, { allow: known.join(', ') });
    },
    handler: async () => undefined,
  });
}

function noteRefusal(request: FastifyRequest, error: unknown, { type, message }: Refusal['body']): void {
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

/** The API, ready to handle requests. */
export async function buildApi(deps: ApiDeps): Promise<RequestListener> {
  const { settings, routes, meter = NO_METER } = deps;
  const figures = new RequestFigures(meter, routes, matched);
  const app = Fastify({
    logger: false,
    bodyLimit: settings.maxBodySize,
    genReqId: () => `req-${randomUUID()}`,
    rewriteUrl: (request) => matchablePath(request.url),
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: settings.maxHeaderSize },
  });
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  app.addContentTypeParser('text/dns', (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-openstack-request-id', request.id);
    if (answerOrigin(request, reply, settings.allowedOrigins)) return reply;
    // Here, not in the handler, which runs when the body has been read and measured.
    if (request.is404) throw new EdgeError('not_found');
  });
  app.addHook('onResponse', async (request, reply) => {
    figures.answered(request, reply);
    const known = { caller: callers.get(request), refusal: refused.get(request) };
    logRequest(request, reply, deps.log, known);
  });
  app.setErrorHandler((error, request, reply) => {
    figures.refused(error);
    return answerError(error, request, reply, deps);
  });
  const bounds = { largeBodies: new LargeBodies(settings), largeAnswers: new LargeAnswers() };
  for (const route of routes) addRoute(app, route, deps, bounds);
  const paths = routes.map((route) => route.path);
  for (const path of new Set([...paths, ...wordsOnTheWay(paths)])) addOtherMethods(app, path, routes);
  if (deps.console !== undefined) addConsole(app, deps.console);
  await app.ready();
  return (request, response) => app.routing(request, response);
}
