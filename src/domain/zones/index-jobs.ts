import type { BackgroundIndex } from '../../model/background-index.ts';
import type { Store } from '../../model/store.ts';
import type { Job } from '../../runtime/jobs.ts';
import { Lease, type LeaseDeps } from '../../runtime/lease.ts';

const LEASE_MS = 10_000;
/** Between two slices, which take some milliseconds each: requests come first. */
const GAP_MS = 10;
const MS_WORTH_A_LINE = 1000;
const NAMES_REFUSED =
  'zones cannot be indexed by parts of their names, so searches with * go through all zones. Create the extension pg_trgm and restart: see docs/operations.md';

interface IndexJobDeps extends LeaseDeps {
  readonly store: LeaseDeps['store'] & Pick<Store, 'nameIndex' | 'recordsetIndexes'>;
}

interface IndexTexts {
  readonly job: string;
  readonly lease: string;
  /** Logged once it is built, if that took long. */
  readonly built: string;
  /** Logged if the database cannot have it. */
  readonly refused: string;
}

function indexJob(index: BackgroundIndex, texts: IndexTexts, { store, clock, log }: LeaseDeps): Job {
  let isRefused = false;
  let begunAt: number | undefined;

  return {
    name: texts.job,
    intervalMs: 2000,
    gapMs: GAP_MS,
    retry: { firstMs: 2000, factor: 2, maxMs: 600_000 },
    lease: { lease: new Lease(texts.lease, { store, clock, log }, LEASE_MS) },
    isDue: async () => !isRefused && (await index.isBehind()),
    async slice(signal) {
      begunAt ??= performance.now();
      const { more, refusal: reason } = await index.catchUp(signal);
      isRefused = reason !== undefined;
      if (isRefused) log.warn({ reason }, texts.refused);
      const ms = performance.now() - begunAt;
      if (!more && !isRefused && !signal.aborted && ms >= MS_WORTH_A_LINE) {
        log.info({ seconds: Math.round(ms / 100) / 10 }, texts.built);
      }
      return more;
    },
    async release() {
      begunAt = undefined;
    },
  };
}

/** The jobs that build the indexes of zone names and of recordsets, each in one process at a time. */
export function indexJobs(deps: IndexJobDeps): readonly Job[] {
  const { nameIndex, recordsetIndexes } = deps.store;
  const names = {
    job: 'name-index',
    lease: 'name index',
    built: 'zones are indexed by parts of their names',
    refused: NAMES_REFUSED,
  };
  // One after another: two that are built on one table at the same time wait for each other.
  const recordsets = {
    job: 'recordset-indexes',
    lease: 'protection index',
    built: 'protected recordsets, and those that expire, are indexed',
    refused: 'protected recordsets, and those that expire, cannot be indexed',
  };
  return [indexJob(nameIndex, names, deps), indexJob(recordsetIndexes, recordsets, deps)];
}
