import type { Clock } from '../../model/clock.ts';
import type { Store } from '../../model/store.ts';

/** How long the answer is believed whether a pool has servers that sign, in milliseconds. */
const HOLDS_FOR = 1000;

/** What the hidden primary learns from the transfers of name servers. */
export function publicationUseCases({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  let asked = Number.NEGATIVE_INFINITY;
  let signs: Promise<boolean> = Promise.resolve(false);

  async function anySigns(): Promise<boolean> {
    return (await store.pools.all()).some(({ signing }) => signing);
  }

  return {
    /** Keeps a completed transfer, if the serials of name servers say nothing because they sign. */
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

    /** Says why a zone cannot be transferred. */
    async transferFailed(zoneId: string, reason: string): Promise<void> {
      await store.transaction(async (tx) => tx.publications.fail(zoneId, reason));
    },
  };
}
