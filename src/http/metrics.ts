import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { EDGE_CATALOGUE, refusalOf } from './edge/errors.ts';
import { responsesText } from './edge/responses.ts';
import { actingProject, type Route, route } from './edge/route.ts';

/** The metrics of this process as text. */
export interface Exposition {
  readonly contentType: string;
  text(): Promise<string>;
}

/** The metrics on the API's port. */
export function metricsRoute(exposition: Exposition): Route {
  return route({
    method: 'GET',
    path: '/metrics',
    guard: actingProject('get_metrics'),
    responses: responsesText('text/plain', {
      description: 'Metrics in the Prometheus text format.',
      examples: ['zonewarden_http_requests_total{route="/v2/zones",method="GET",status="200"} 1027\n'],
    }),
    async handle() {
      return { status: 200, contentType: exposition.contentType, body: await exposition.text() };
    },
  });
}

type UnservedPath = 'not_found' | 'method_not_allowed' | 'unknown';

function refuse(
  { method }: IncomingMessage,
  response: ServerResponse,
  kind: UnservedPath,
  headers: Readonly<Record<string, string>> = {},
): void {
  const requestId = `req-${randomUUID()}`;
  const { status, body } = refusalOf(kind, EDGE_CATALOGUE[kind], requestId);
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'x-openstack-request-id': requestId,
    ...headers,
  });
  response.end(method === 'HEAD' ? undefined : text);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  exposition: Exposition,
): Promise<void> {
  const text = Buffer.from(await exposition.text());
  response.writeHead(200, { 'content-type': exposition.contentType, 'content-length': text.length });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** Serves the metrics on a separate port, without authentication and without access to the store. */
export function metricsListener(exposition: Exposition): RequestListener {
  return (request, response) => {
    // The body, if any, is discarded.
    request.resume();
    if (!/^\/metrics\/?(\?|$)/.test(request.url ?? '')) return refuse(request, response, 'not_found');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(request, response, 'method_not_allowed', { allow: 'GET, HEAD' });
    }
    answer(request, response, exposition).catch(() => refuse(request, response, 'unknown'));
  };
}
