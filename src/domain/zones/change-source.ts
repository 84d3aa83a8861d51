import type { RequestContext } from '../../model/context/request-context.ts';
import type { ChangeSource, Door } from '../../model/history/change-source.ts';
import { actorOf } from '../events/event-record.ts';

/** Says who changes a zone, and by which way in: by default a request for it alone, or the service. */
export function changedBy(
  context: RequestContext,
  door: Door = context.origin.kind === 'request' ? 'api' : 'service',
  description: string | null = null,
): ChangeSource {
  return { door, actor: actorOf(context), description };
}
