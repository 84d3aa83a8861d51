import { randomUUID } from 'node:crypto';
import type { OpenTask } from '../../model/blacklist-lists/store.ts';
import { earlier, later } from '../../model/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { LEASE, StagedChange, type StagedDeps } from './staged-change.ts';

/** How often a process looks for what others have left, in milliseconds. */
const EVERY = 5000;
/** How long tasks are kept that have come to nothing, in milliseconds. */
const KEPT = 86_400_000;
const GONE = 'The process that did it has gone. Nothing was changed.';

/** The end of tasks whose process is gone: what was published is finished, everything else is taken back. */
export function listUpkeep(deps: StagedDeps & { readonly log: Log }) {
  const { store, clock, log } = deps;
  let askedAt = Number.NEGATIVE_INFINITY;

  async function end(task: OpenTask): Promise<void> {
    const holder = randomUUID();
    const isTaken = await store.transaction((tx) =>
      tx.blacklistLists.takeTask(task, holder, later(clock.now(), 10 * LEASE)),
    );
    if (!isTaken) return;
    log.info({ task: task.id }, 'ending an import of blacklists whose process has gone');
    const change = new StagedChange(deps, { ...task, holder }, 'import');
    await change.takeBack('ERROR', { message: GONE, faults: [], faultCount: 0 });
  }

  /** Ends the tasks that nobody does any more. */
  async function endAbandoned(): Promise<void> {
    const now = clock.now();
    for (const task of await store.blacklistLists.openTasks()) if (task.heldUntil < now) await end(task);
  }

  return {
    endAbandoned,

    /** The same now and then; returns whether there may be more to do at once. */
    async tend(): Promise<boolean> {
      const now = performance.now();
      if (now - askedAt < EVERY) return false;
      askedAt = now;
      await endAbandoned();
      await store.transaction((tx) => tx.blacklistLists.forgetTasks(earlier(clock.now(), KEPT)));
      return false;
    },
  };
}
