/** Cross-origin requests from web pages that may use the API (Fetch standard, section 3.2). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { varyBy } from './vary.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Headers a page may send. Pages send their token themselves, so browser credentials are never requested. */
const SENT = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Auth-Token',
  'X-Auth-All-Projects',
  'X-Auth-Sudo-Project-ID',
  'X-Auth-Sudo-Tenant-ID',
  'X-Designate-Delete-Shares',
  'X-Designate-Edit-Managed-Records',
  'X-Designate-Hard-Delete',
  'X-Zonewarden-Override',
  'OpenStack-DNS-Hide-Counts',
].join(', ');
/** Response headers a page may read, beyond those that browsers always expose. */
const SHOWN = [
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'Retry-After',
  'Warning',
  'WWW-Authenticate',
  'X-Openstack-Request-Id',
  'X-Zonewarden-Change',
  'X-Zonewarden-Blacklist-Bypassed',
].join(', ');
/** Maximum age of a cached preflight response, in seconds. */
const REMEMBERED = '3600';

/**
 * Adds the CORS headers for an allowed origin.
 * @returns true for a preflight request, which is then answered
 */
export function applyCors(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  allowed: readonly string[],
): boolean {
  const { origin } = headers;
  if (allowed.length === 0) return false;
  varyBy(reply, 'Origin');
  const isAllowed = origin !== undefined && (allowed.includes('*') || allowed.includes(origin));
  if (!isAllowed) return false;
  reply.header('access-control-allow-origin', allowed.includes('*') ? '*' : origin);
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
    reply.header('access-control-expose-headers', SHOWN);
    return false;
  }
  reply.headers({
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': SENT,
    'access-control-max-age': REMEMBERED,
  });
  reply.code(204).send();
  return true;
}
