import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { EdgeError } from '../edge/errors.ts';
import { prefersPage } from '../edge/negotiation.ts';
import { varyBy } from '../edge/vary.ts';
import { type ConsoleFile, type ConsoleFiles, ENCODINGS } from './files.ts';

/** Allows only the page's own scripts and styles and same-origin requests, and never turns text into script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const SECURITY = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const NEVER_KEPT = 'no-store';
const KEPT_FOR_EVER = 'public, max-age=31536000, immutable';

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ConsoleFile,
  cacheControl: string,
): FastifyReply {
  const accepted = new Negotiator({ headers: request.headers }).encodings([...ENCODINGS]);
  const encoding = ENCODINGS.find((one) => accepted.includes(one));
  const encoded = encoding === undefined ? undefined : file.encoded[encoding];
  varyBy(reply, 'Accept-Encoding');
  if (encoding !== undefined && encoded !== undefined) reply.header('content-encoding', encoding);
  return reply
    .headers(SECURITY)
    .header('cache-control', cacheControl)
    .header('content-type', file.contentType)
    .send(encoded ?? file.plain);
}

/** Redirects browsers from `/` to the page. Other clients get the API versions. */
function sendBrowsers(app: FastifyInstance, path: string): void {
  app.addHook('onRequest', async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.routeOptions.url !== '/' || !prefersPage(request.headers)) return;
    varyBy(reply, 'Accept');
    return reply.headers(SECURITY).header('cache-control', NEVER_KEPT).redirect(path);
  });
}

/**
 * Serves the assets, the page at `/console` and at every path below it (which the page itself interprets), and a
 * redirect for browsers at `/`.
 */
export function addConsole(app: FastifyInstance, { path, page, assets }: ConsoleFiles): void {
  sendBrowsers(app, path);
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) =>
    send(request, reply, page, NEVER_KEPT);
  const sendAsset = async (request: FastifyRequest, reply: FastifyReply) => {
    const file = assets.get((request.params as { readonly file: string }).file);
    if (file === undefined) throw new EdgeError('not_found');
    return send(request, reply, file, KEPT_FOR_EVER);
  };
  const handlers = { '/console': sendPage, '/console/*': sendPage, '/console/assets/:file': sendAsset };
  const others = app.supportedMethods.filter((method) => method !== 'GET' && method !== 'HEAD');
  for (const [url, handler] of Object.entries(handlers)) {
    app.route({ method: 'GET', url, handler });
    app.route({
      method: others,
      url,
      onRequest: async () => {
        throw new EdgeError('method_not_allowed', undefined, { allow: 'GET, HEAD' });
      },
      handler: async () => undefined,
    });
  }
}
