import type { OwnerName } from '../../dns/names.ts';
import type { PlanningReads } from '../../model/changes/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { Intent } from './intents.ts';

/** What is wanted, compared with the zone. */
export interface FoundIntents {
  readonly intents: readonly Intent[];
  /** Number of recordsets that stay as they are and that no intent names. */
  readonly unchanged: number;
}

/** What is wanted of a zone, parsed before anything is locked. */
export interface WantedChanges {
  /** Approximate size of what is written, in bytes. */
  readonly bytes: number;
  /** Number of recordsets that are compared, at most. */
  readonly recordsets: number;
  /** Number of rows that `intentsIn` reads; the transaction writes as many at most. */
  readonly rows: number;
  /** Names that may be new in the zone. */
  names(): Iterable<OwnerName>;
  /** Finds what is wanted of each recordset. It may be called again if the transaction starts over. */
  intentsIn(reads: PlanningReads, zone: Zone, turns: TimeSlices): Promise<FoundIntents>;
}

/** Changes whose recordsets are all known from the request. */
export function knownChanges(intents: readonly Intent[], bytes: number): WantedChanges {
  return {
    bytes,
    recordsets: intents.length,
    rows: 0,
    *names() {
      for (const { mayCreate, name } of intents) if (mayCreate) yield name;
    },
    intentsIn: async () => ({ intents, unchanged: 0 }),
  };
}
