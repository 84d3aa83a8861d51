import type { Store } from '../store.ts';
import type { ZoneChanges } from '../zones/zone-changes.ts';

/** Ends the deletion of zones that their name servers have dropped. */
export function removalUseCases({
  store,
  changes,
}: {
  readonly store: Store;
  readonly changes: ZoneChanges;
}) {
  return {
    /** Removes the zone for good, if it waits for its removal: its name and its place in the quota are free again. */
    finish(zoneId: string): Promise<void> {
      return store.transaction(async (tx) => {
        const zone = await tx.zones.lock(zoneId, 'all projects');
        if (zone?.action === 'DELETE') await changes.apply(tx, { kind: 'deletion', zone, waits: false });
      });
    },
  };
}
