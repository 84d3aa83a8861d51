import type { PreviewRuns } from '../domain/previews/preview-runs.ts';
import type { Log } from '../runtime/log.ts';
import { WorkLoop } from './work-loop.ts';

/** How many previews one process is at; each is of another project. */
const PLACES = 4;
const TIMES = { poll: 2000, retry: { first: 500, factor: 2, longest: 10_000 } };

export interface PreviewWork {
  /** Says that there may be something to do. */
  wake(): void;
  /** Ends after the steps that are under way; other processes go on with them. */
  stop(): Promise<void>;
}

/** Looks for existing zones beside the requests, and removes what has been found after its time. */
export function startPreviewWork(runs: PreviewRuns, log: Log): PreviewWork {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();

  function begin(perform: (stopping: AbortSignal) => Promise<void>): void {
    const run = perform(signal)
      .catch((err: unknown) => log.error({ err }, 'a preview could not go on'))
      .finally(() => {
        running.delete(run);
        loop.wake();
      });
    running.add(run);
  }

  const loop = new WorkLoop(
    {
      async turn() {
        while (running.size < PLACES) {
          const perform = await runs.next();
          if (perform === undefined) break;
          begin(perform);
        }
        return runs.removeSome();
      },
      gap: () => 20,
      failed: (err) => log.error({ err }, 'previews could not be looked for'),
    },
    TIMES,
    signal,
  );
  const done = loop.run();
  return {
    wake: () => loop.wake(),
    async stop() {
      stopping.abort();
      await done;
      await Promise.all(running);
    },
  };
}
