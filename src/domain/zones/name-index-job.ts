import type { NameIndex } from '../../model/zones/name-index.ts';
import type { Job } from '../../runtime/jobs.ts';
import { Lease, type LeaseDeps } from '../../runtime/lease.ts';

const LEASE_MS = 10_000;
/** Between two slices, which take some milliseconds each: requests come first. */
const GAP_MS = 10;
const MS_WORTH_A_LINE = 1000;
const REFUSED =
  'zones cannot be indexed by parts of their names, so searches with * go through all zones. Create the extension pg_trgm and restart: see docs/operations.md';

interface NameIndexJobDeps extends LeaseDeps {
  readonly store: LeaseDeps['store'] & { readonly nameIndex: NameIndex };
}

/** Builds the index of zone names, and catches up with it, in one process at a time. */
export function nameIndexJob({ store, clock, log }: NameIndexJobDeps): Job {
  const { nameIndex } = store;
  let isRefused = false;
  let begunAt: number | undefined;

  return {
    name: 'name-index',
    intervalMs: 2000,
    gapMs: GAP_MS,
    retry: { firstMs: 2000, factor: 2, maxMs: 600_000 },
    lease: { lease: new Lease('name index', { store, clock, log }, LEASE_MS) },
    isDue: async () => !isRefused && (await nameIndex.isBehind()),
    async slice(signal) {
      begunAt ??= performance.now();
      const { more, refusal: reason } = await nameIndex.catchUp(signal);
      isRefused = reason !== undefined;
      if (isRefused) log.warn({ reason }, REFUSED);
      const ms = performance.now() - begunAt;
      if (!more && !isRefused && !signal.aborted && ms >= MS_WORTH_A_LINE) {
        log.info({ seconds: Math.round(ms / 100) / 10 }, 'zones are indexed by parts of their names');
      }
      return more;
    },
    async release() {
      begunAt = undefined;
    },
  };
}
