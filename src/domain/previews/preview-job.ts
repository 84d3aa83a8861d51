import type { Job } from '../../runtime/jobs.ts';
import type { Log } from '../../runtime/log.ts';
import type { Wakeup } from '../../runtime/wakeup.ts';
import type { PreviewRuns } from './preview-runs.ts';

/** How many previews a process works on at once, each of another project. */
const MAX_RUNS = 4;

/**
 * The job that runs previews, and removes old results.
 * @param wakeup of `PreviewUseCases`
 */
export function previewJob(runs: PreviewRuns, wakeup: Wakeup, log: Log): Job {
  const running = new Set<Promise<void>>();

  function begin(perform: (stopping: AbortSignal) => Promise<void>, signal: AbortSignal): void {
    const run = perform(signal)
      .catch((err: unknown) => log.error({ err }, 'a preview failed'))
      .finally(() => {
        running.delete(run);
        wakeup.wake();
      });
    running.add(run);
  }

  return {
    name: 'previews',
    intervalMs: 2000,
    gapMs: 20,
    wakeup,
    retry: { firstMs: 500, factor: 2, maxMs: 10_000 },
    async slice(signal) {
      while (running.size < MAX_RUNS) {
        const perform = await runs.next();
        if (perform === undefined) break;
        begin(perform, signal);
      }
      return runs.removeSome();
    },
    async finish() {
      await Promise.all(running);
    },
  };
}
