import type { JournalBounds } from './store.ts';

export interface PublicationSettings {
  /** How much is kept of the changes of each zone. */
  readonly journal: JournalBounds;
  /** How many names of gone zones are remembered for each project. */
  readonly formerNames: number;
}
