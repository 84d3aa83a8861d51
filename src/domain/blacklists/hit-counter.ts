import type { Hits } from '../../model/blacklists/blacklist.ts';
import type { MoreHits } from '../../model/blacklists/store.ts';
import type { Clock } from '../../model/clock.ts';
import type { Store } from '../../model/store.ts';
import type { Log } from '../../runtime/log.ts';

/** Interval between two writes of hits, in milliseconds. */
const EVERY = 1000;
/** Maximum number of entries with pending hits; hits of any others are not counted. */
const MOST_ENTRIES = 10_000;

export type HitKind = Exclude<keyof Hits, 'lastAt'>;

export interface HitCounter {
  /** Counts a create that matched the entry. It neither throws nor waits. */
  count(id: string, kind: HitKind): void;
  /** Writes pending counts, and stops counting. */
  stop(): Promise<void>;
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
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let isStopped = false;

  async function write(hits: readonly MoreHits[]): Promise<void> {
    try {
      await store.transaction(async (tx) => tx.blacklists.addHits(hits));
    } catch (err) {
      log.warn(
        { err, entries: hits.length },
        'the hits of blacklists could not be written, and are not counted',
      );
    }
  }

  /** Writes one batch at a time, so that a slow store does not get several. */
  function flush(): Promise<void> {
    timer = undefined;
    writing = writing.then(async () => {
      const hits = [...gathered.values()];
      gathered = new Map();
      if (hits.length > 0) await write(hits);
    });
    return writing;
  }

  return {
    count(id, kind) {
      const known = gathered.get(id);
      if (isStopped || (known === undefined && gathered.size >= MOST_ENTRIES)) return;
      const hits = known ?? { id, refused: 0, warned: 0, audited: 0, lastAt: '' };
      gathered.set(id, { ...hits, [kind]: hits[kind] + 1, lastAt: clock.now() });
      timer ??= setTimeout(() => void flush(), EVERY).unref();
    },

    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await flush();
    },
  };
}
