import { randomUUID } from 'node:crypto';
import type { OpenTask } from '../../model/blacklist-lists/store.ts';
import { earlier, later } from '../../model/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { LEASE, StagedChange, type StagedDeps } from './staged-change.ts';

/** Interval at which a process checks for abandoned tasks, in milliseconds. */
const EVERY = 5000;
/** Retention of tasks that changed nothing, in milliseconds. */
const KEPT = 86_400_000;
const GONE = 'The process that did it has gone. Nothing was changed.';

/** Ends tasks whose process has died: a published change is finished, any other is rolled back. */
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

  /** Ends the tasks that no process is working on. */
  async function endAbandoned(): Promise<void> {
    const now = clock.now();
    for (const task of await store.blacklistLists.openTasks()) if (task.heldUntil < now) await end(task);
  }

  return {
    endAbandoned,

    /**
     * Ends abandoned tasks, and deletes old ones, at most once per interval.
     * @returns true if there may be more to do at once
     */
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
