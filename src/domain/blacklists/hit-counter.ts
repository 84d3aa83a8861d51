import type { Hits } from '../../model/blacklists/blacklist.ts';
import type { MoreHits } from '../../model/blacklists/store.ts';
import type { Clock } from '../../model/clock.ts';
import type { Store } from '../../model/store.ts';
import type { Job } from '../../runtime/jobs.ts';
import type { Log } from '../../runtime/log.ts';
import { Wakeup } from '../../runtime/wakeup.ts';

/** The shortest time between two writes. */
const GAP_MS = 1000;
/** Hits wake the job; this is for those that are counted while it writes. */
const INTERVAL_MS = 10_000;
/** Maximum number of entries with pending hits; hits of any others are not counted. */
const MAX_ENTRIES = 10_000;

export type HitKind = Exclude<keyof Hits, 'lastAt'>;

export interface HitCounter {
  /** Counts a create that matched the entry. It neither throws nor waits. */
  count(id: string, kind: HitKind): void;
  /** Writes pending counts. Those that cannot be written are lost. */
  flush(): Promise<void>;
  readonly job: Job;
}

/**
 * Counts matches of entries. The counts are written together, about once a second, outside the transactions of creates.
 * A crash or a store failure loses the pending counts.
 */
export function hitCounter({
  store,
  clock,
  log,
}: {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly log: Log;
}): HitCounter {
  let gathered = new Map<string, MoreHits>();
  const wakeup = new Wakeup();

  async function write(hits: readonly MoreHits[]): Promise<void> {
    try {
      await store.transaction(async (tx) => tx.blacklists.addHits(hits));
    } catch (err) {
      log.warn({ err, entries: hits.length }, 'blacklist hits could not be written and are not counted');
    }
  }

  async function flush(): Promise<void> {
    const hits = [...gathered.values()];
    gathered = new Map();
    if (hits.length > 0) await write(hits);
  }

  return {
    count(id, kind) {
      const known = gathered.get(id);
      if (known === undefined && gathered.size >= MAX_ENTRIES) return;
      const hits = known ?? { id, refused: 0, warned: 0, audited: 0, lastAt: '' };
      gathered.set(id, { ...hits, [kind]: hits[kind] + 1, lastAt: clock.now() });
      wakeup.wake();
    },

    flush,

    job: {
      name: 'blacklist-hits',
      intervalMs: INTERVAL_MS,
      gapMs: GAP_MS,
      wakeup,
      retry: { firstMs: GAP_MS, factor: 2, maxMs: INTERVAL_MS },
      async slice() {
        await flush();
        return false;
      },
      finish: flush,
    },
  };
}
