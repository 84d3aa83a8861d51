/** Web pages of other origins that may use the API (the Fetch standard, section 3.2). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { varyBy } from './vary.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** What a page may send. It sends its token itself, so no credentials of the browser are ever asked for. */
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
  'OpenStack-DNS-Hide-Counts',
].join(', ');
/** What a page may read of an answer, beside what browsers show anyway. */
const SHOWN = [
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'Retry-After',
  'Warning',
  'WWW-Authenticate',
  'X-Openstack-Request-Id',
  'X-Zonewarden-Blacklist-Bypassed',
].join(', ');
/** How long a browser may remember what it may send, in seconds. */
const REMEMBERED = '3600';

/**
 * Says whether a page of another origin may read the answer.
 * @returns true if the request only asks what may be sent: it is answered
 */
export function answerOrigin(
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
