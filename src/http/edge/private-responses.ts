/** Response headers for caches (RFC 9111) and browsers, for authenticated callers. */
import type { FastifyReply } from 'fastify';
import { varyBy } from './vary.ts';

/** A response with an ETag may be cached for this caller only, and must be revalidated before each use. */
export const REVALIDATED = 'private, no-cache';

/** Keeps a response out of caches, and stops browsers from guessing its type. */
export function keepPrivate(reply: FastifyReply): void {
  reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  varyBy(reply, 'X-Auth-Token, Authorization');
}
