import type { Hits } from '../../model/blacklists/blacklist.ts';
import type { MoreHits } from '../../model/blacklists/store.ts';
import type { Clock } from '../../model/clock.ts';
import type { Store } from '../../model/store.ts';
import type { Log } from '../../runtime/log.ts';

/** How long hits are gathered before they are written, in milliseconds. */
const EVERY = 1000;
/** Entries whose hits are gathered at a time; those of further ones are not counted. */
const MOST_ENTRIES = 10_000;

export type HitKind = Exclude<keyof Hits, 'lastAt'>;

export interface HitCounter {
  /** Counts one create that has met the entry. It neither throws nor waits. */
  count(id: string, kind: HitKind): void;
  /** Writes what has been counted, and counts no more. */
  stop(): Promise<void>;
}

/**
 * Counts how often entries are met. The counts are written together, about once a second, outside the transactions of
 * creates; what a crash, or a store that is away, takes with it are the counts of that second.
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

  /** One batch after the other: a store that is slow is not asked by several at a time. */
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
