import type { Session } from './api/session.ts';
import type { Place } from './place.ts';

export interface ViewProps {
  readonly session: Session;
  readonly place: Place;
}
