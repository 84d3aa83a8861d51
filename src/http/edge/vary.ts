import type { FastifyReply } from 'fastify';

/** Says that the answer depends on a header of the request, too (RFC 9110, section 12.5.5). */
export function varyBy(reply: FastifyReply, header: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? header : `${others}, ${header}`);
}
