import { randomUUID } from 'node:crypto';
import type { OpenTask } from '../../model/blacklist-lists/store.ts';
import { earlier, later } from '../../model/clock.ts';
import type { Job } from '../../runtime/jobs.ts';
import type { Log } from '../../runtime/log.ts';
import { LEASE, StagedChange, type StagedDeps } from './staged-change.ts';

/** Retention of tasks that changed nothing, in milliseconds. */
const KEPT = 86_400_000;
const GONE = 'The process that ran it has stopped. Nothing was changed.';

/** Ends tasks whose process has died: a published change is finished, any other is rolled back. */
export function listUpkeep(deps: StagedDeps & { readonly log: Log }) {
  const { store, clock, log } = deps;
  async function end(task: OpenTask): Promise<void> {
    const holder = randomUUID();
    const isTaken = await store.transaction((tx) =>
      tx.blacklistLists.takeTask(task, holder, later(clock.now(), 10 * LEASE)),
    );
    if (!isTaken) return;
    log.info({ task: task.id }, 'ending a blacklist import whose process has stopped');
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

    job: {
      name: 'list-upkeep',
      intervalMs: 5000,
      retry: { firstMs: 100, factor: 2, maxMs: 5000 },
      yieldsToRequests: true,
      async slice() {
        await endAbandoned();
        await store.transaction((tx) => tx.blacklistLists.forgetTasks(earlier(clock.now(), KEPT)));
        return false;
      },
    } satisfies Job,
  };
}
