import type { FastifyReply } from 'fastify';

/** Adds a request header to those that the response depends on (RFC 9110, section 12.5.5). */
export function varyBy(reply: FastifyReply, header: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? header : `${others}, ${header}`);
}
