import { randomUUID } from 'node:crypto';
import { type Clock, earlier } from '../../model/clock.ts';
import {
  GONE_AFTER,
  HEARTBEAT_MS,
  type JobReport,
  type ServiceName,
  type ServiceStatus,
} from '../../model/service-statuses/service-status.ts';
import type { Store } from '../../model/store.ts';
import type { Job } from '../../runtime/jobs.ts';
import type { Log } from '../../runtime/log.ts';

export interface HeartbeatDeps {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ReportedProcess {
  readonly hostname: string;
  readonly parts: readonly ServiceName[];
  /** What the jobs of one part have done so far, by name. */
  jobs(part: ServiceName): Readonly<Record<string, JobReport>>;
}

/** Reports that the parts of this process are alive, and removes processes that have been silent for long. */
export function heartbeatJob({ store, clock, log }: HeartbeatDeps, process: ReportedProcess): Job {
  const { hostname, parts } = process;
  const createdAt = clock.now();
  const born = parts.map((serviceName) => ({ id: randomUUID(), serviceName, hostname, createdAt }));
  let isReached = false;

  async function write(status: ServiceStatus['status']): Promise<void> {
    const heartbeatedAt = clock.now();
    const times = { heartbeatedAt, updatedAt: heartbeatedAt };
    const statuses = born.map((part) => ({
      ...part,
      ...times,
      status,
      jobs: process.jobs(part.serviceName),
    }));
    await store.transaction(async (tx) => {
      tx.serviceStatuses.put(statuses);
      tx.serviceStatuses.removeSilent(earlier(heartbeatedAt, GONE_AFTER));
    });
  }

  return {
    name: 'heartbeats',
    intervalMs: HEARTBEAT_MS,
    retry: { firstMs: HEARTBEAT_MS, factor: 1, maxMs: HEARTBEAT_MS },
    async slice() {
      isReached = false;
      await write('UP');
      isReached = true;
      return false;
    },
    async finish() {
      // Without the store the silence says DOWN.
      if (!isReached) return;
      await write('DOWN').catch((err: unknown) =>
        log.warn({ err }, 'the last heartbeat of this process could not be written'),
      );
    },
  };
}
