import type { JournalBounds } from './store.ts';

export interface PublicationSettings {
  /** Bounds on the stored changes of each zone. */
  readonly journal: JournalBounds;
  /** Number of names of deleted zones remembered per project. */
  readonly formerNames: number;
}
