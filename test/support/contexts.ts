import type { RequestContext } from '../../src/model/context/request-context.ts';

/** The context of a member of a project. */
export function memberContext(projectId: string, userId = 'u'): RequestContext {
  return {
    caller: { projectId, userId, roles: ['member'] },
    projectId,
    scope: { projectId },
    origin: { kind: 'request', requestId: 'req-test', address: '127.0.0.1' },
  };
}
