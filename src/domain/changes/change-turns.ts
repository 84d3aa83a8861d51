import { DomainError } from '../../model/errors.ts';
import { type Release, Semaphore } from '../../runtime/semaphore.ts';

/** Dry runs at a time, in all and for one project. Others wait, for a while. */
const DRY_RUNS = { permits: 8, perOwner: 'half of the rest', pendingPerOwner: 16, waitMs: 10_000 } as const;
/** A change is large if it compares more recordsets than this: its plan is held in memory. */
const LARGE = 2000;
/** Large changes and dry runs at a time, likewise. */
const LARGE_CHANGES = { permits: 2, perOwner: 1, pendingPerOwner: 8, waitMs: 60_000 } as const;

const TOO_MANY = 'Too many large changes are being made or planned. Retry when some have finished.';

export interface TurnRequest {
  readonly projectId: string;
  readonly isDryRun: boolean;
  /** Number of recordsets that it compares, at most. */
  readonly recordsets: number;
}

/** Bounds the changes that are planned at once in this process, whatever asked for them. Projects take turns. */
export class ChangeTurns {
  readonly #dryRuns = new Semaphore(DRY_RUNS);
  readonly #large = new Semaphore(LARGE_CHANGES);

  /** @throws DomainError `too_many_reads`, and what the work throws */
  async run<T>({ projectId, isDryRun, recordsets }: TurnRequest, work: () => Promise<T>): Promise<T> {
    const held: Release[] = [];
    try {
      if (recordsets > LARGE) held.push(await take(this.#large, projectId, TOO_MANY));
      if (isDryRun) held.push(await take(this.#dryRuns, projectId));
      return await work();
    } finally {
      for (const release of held) release();
    }
  }
}

async function take(semaphore: Semaphore, projectId: string, message?: string): Promise<Release> {
  const release = await semaphore.take(projectId);
  if (release === undefined) throw new DomainError('too_many_reads', message);
  return release;
}
