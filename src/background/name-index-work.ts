import type { NameIndex } from '../model/zones/name-index.ts';
import { Lease, type LeaseDeps } from './lease.ts';
import { pause } from './waits.ts';
import { WorkLoop } from './work-loop.ts';

const TIMES = { poll: 2000, retry: { first: 2000, factor: 2, longest: 600_000 } };
const LEASE = { lease: 10_000 };
/** Between two parts, which are some milliseconds each: requests come first. */
const GAP_MS = 10;
const MS_WORTH_A_LINE = 1000;
const REFUSED =
  'zones cannot be indexed by parts of their names, so searches with * go through all zones. Create the extension pg_trgm and restart: see docs/operations.md';

interface Deps extends LeaseDeps {
  readonly store: LeaseDeps['store'] & { readonly nameIndex: NameIndex };
}

/** Keeps the index of zone names, one process at a time. */
export function startNameIndexWork({ store, clock, log }: Deps): { stop(): Promise<void> } {
  const { nameIndex } = store;
  const stopping = new AbortController();
  const { signal } = stopping;
  const lease = new Lease('name index', { store, clock, log }, LEASE);
  let isRefused = false;

  /** @returns why there can be no index; undefined if there can */
  async function catchUp(held: AbortSignal): Promise<string | undefined> {
    do {
      const { more, refusal } = await nameIndex.catchUp(held);
      if (!more) return refusal;
    } while (await pause(GAP_MS, held));
    return undefined;
  }

  async function work(held: AbortSignal): Promise<void> {
    const begun = performance.now();
    const reason = await catchUp(held);
    const ms = performance.now() - begun;
    isRefused = reason !== undefined;
    if (isRefused) log.warn({ reason }, REFUSED);
    else if (ms >= MS_WORTH_A_LINE && !held.aborted) {
      log.info({ seconds: Math.round(ms / 100) / 10 }, 'zones are indexed by parts of their names');
    }
  }

  const loop = new WorkLoop(
    {
      async turn() {
        if (!isRefused && (await nameIndex.isBehind())) await lease.run(0, signal, work);
        return false;
      },
      gap: () => GAP_MS,
      failed: (err) => log.warn({ err }, 'zones could not be indexed by parts of their names: retrying'),
    },
    TIMES,
    signal,
  );
  const done = loop.run();
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}
