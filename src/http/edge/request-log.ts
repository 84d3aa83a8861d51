import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../runtime/log.ts';

/** Maximum length of a path or refusal reason in the log, in characters. */
const LONGEST_LOGGED = 500;

export function shortened(text: string): string {
  return text.length > LONGEST_LOGGED ? `${text.slice(0, LONGEST_LOGGED)}…` : text;
}

/** Logs an answered request. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const { caller, refusal } = request;
  const fields = {
    request_id: request.id,
    method: request.method,
    path: shortened(request.url.split('?')[0]!),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    address: request.ip,
    ...(caller ? { project: caller.projectId, user: caller.userId } : {}),
    ...refusal,
  };
  log.info(fields, 'request');
}
