import type { Job } from '../../runtime/jobs.ts';
import type { Log } from '../../runtime/log.ts';
import type { PreviewRuns } from './preview-runs.ts';

/** How many previews a process works on at once, each of another project. */
const MAX_RUNS = 4;

export interface PreviewJob {
  readonly job: Job;
  /** @param onEnd called when a preview ends, so that another can start */
  watch(onEnd: () => void): void;
}

/** The job that runs previews, and removes old results. */
export function previewJob(runs: PreviewRuns, log: Log): PreviewJob {
  const running = new Set<Promise<void>>();
  let ended = () => {};

  function begin(perform: (stopping: AbortSignal) => Promise<void>, signal: AbortSignal): void {
    const run = perform(signal)
      .catch((err: unknown) => log.error({ err }, 'a preview failed'))
      .finally(() => {
        running.delete(run);
        ended();
      });
    running.add(run);
  }

  const job: Job = {
    name: 'previews',
    intervalMs: 2000,
    gapMs: 20,
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
  return {
    job,
    watch(onEnd) {
      ended = onEnd;
    },
  };
}
