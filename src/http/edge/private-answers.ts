/** What the answers to authenticated callers say to caches (RFC 9111) and browsers. */
import type { FastifyReply } from 'fastify';
import { varyBy } from './vary.ts';

/** A cache may keep an answer with an ETag, for the caller alone, and asks whether it still holds before each use. */
export const REVALIDATED = 'private, no-cache';

/** Keeps an answer out of caches, and browsers from guessing its type. */
export function keepPrivate(reply: FastifyReply): void {
  reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  varyBy(reply, 'X-Auth-Token, Authorization');
}
