import { systemClock } from '../../src/model/clock.ts';
import { NO_METRICS } from '../../src/model/metrics/metrics-recorder.ts';
import { Jobs } from '../../src/runtime/jobs.ts';
import type { Log } from '../../src/runtime/log.ts';

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The jobs of a process of its own, for tests. */
export function jobsOfTest(log: Log = SILENT): Jobs {
  return new Jobs({ log, clock: systemClock(), meter: NO_METRICS, isBusy: () => false });
}
