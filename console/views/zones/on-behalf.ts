import { OF_ALL_PROJECTS } from '../../api/client.ts';
import { may, type Session } from '../../api/session.ts';

/** For requests about one zone: who may look at every project's things need not say whose it is. */
export function onBehalf(session: Session): Record<string, string> {
  return may(session, 'all_tenants') ? OF_ALL_PROJECTS : {};
}
