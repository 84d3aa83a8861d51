import type { Clock } from '../../model/clock.ts';
import type { Store } from '../../model/store.ts';

/** Cache time for whether any pool has signing servers, in milliseconds. */
const HOLDS_FOR = 1000;

/** Records transfers from the hidden primary to name servers. */
export function publicationUseCases({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  let asked = Number.NEGATIVE_INFINITY;
  let signs: Promise<boolean> = Promise.resolve(false);

  async function anySigns(): Promise<boolean> {
    return (await store.pools.all()).some(({ signing }) => signing);
  }

  return {
    /** Records a completed transfer if any pool signs, since the serials of signing servers cannot be compared. */
    async transferCompleted(zoneId: string, server: string, serial: number): Promise<void> {
      if (performance.now() - asked >= HOLDS_FOR) {
        asked = performance.now();
        signs = anySigns();
      }
      if (!(await signs)) return;
      await store.transaction(async (tx) =>
        tx.publications.transferCompleted(zoneId, server, serial, clock.now()),
      );
    },

    /** Records why a zone cannot be transferred. */
    async transferFailed(zoneId: string, reason: string): Promise<void> {
      await store.transaction(async (tx) => tx.publications.fail(zoneId, reason));
    },
  };
}
