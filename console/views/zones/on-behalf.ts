import { OF_ALL_PROJECTS } from '../../api/client.ts';
import { may, type Session } from '../../api/session.ts';

/** Headers for requests about one zone: callers with access to all projects need not name its project. */
export function onBehalf(session: Session): Record<string, string> {
  return may(session, 'all_tenants') ? OF_ALL_PROJECTS : {};
}
