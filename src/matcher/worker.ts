/** The worker thread that finishes long checks, one after the other. */
import { parentPort } from 'node:worker_threads';
import type { CheckResult, CheckTask } from './pattern-checker.ts';
import { finishCheck } from './pattern-index.ts';

parentPort?.on('message', ({ id, rest }: CheckTask) => {
  const result: CheckResult = { id, verdict: finishCheck(rest) };
  parentPort?.postMessage(result);
});
