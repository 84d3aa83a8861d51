import { randomUUID } from 'node:crypto';
import { type Clock, earlier } from '../../model/clock.ts';
import {
  GONE_AFTER,
  HEARTBEAT_EVERY,
  type ServiceName,
  type ServiceStatus,
} from '../../model/service-statuses/service-status.ts';
import type { Store } from '../../model/store.ts';
import type { Log } from '../../runtime/log.ts';

export interface Heartbeats {
  /** Says that the process is DOWN, if the store could be reached last time. */
  stop(): Promise<void>;
}

export interface HeartbeatDeps {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Lets the parts of this process say that they are alive, and forgets processes that are long gone. */
export function startHeartbeats(
  { store, clock, log }: HeartbeatDeps,
  process: { readonly hostname: string; readonly parts: readonly ServiceName[] },
): Heartbeats {
  const { hostname, parts } = process;
  const createdAt = clock.now();
  const born = parts.map((serviceName) => ({ id: randomUUID(), serviceName, hostname, createdAt }));
  let isReached = true;

  async function write(status: ServiceStatus['status']): Promise<void> {
    const heartbeatedAt = clock.now();
    const statuses = born.map((part) => ({ ...part, status, heartbeatedAt, updatedAt: heartbeatedAt }));
    try {
      await store.transaction(async (tx) => {
        tx.serviceStatuses.put(statuses);
        tx.serviceStatuses.removeSilent(earlier(heartbeatedAt, GONE_AFTER));
      });
      isReached = true;
    } catch (err) {
      if (isReached) log.warn({ err }, 'the heartbeat of this process could not be written');
      isReached = false;
    }
  }

  let writing = write('UP');
  let isWriting = true;
  const settled = (): void => {
    isWriting = false;
  };
  void writing.then(settled);
  const timer = setInterval(() => {
    // A store that is slow gets one heartbeat at a time.
    if (isWriting) return;
    isWriting = true;
    writing = write('UP');
    void writing.then(settled);
  }, HEARTBEAT_EVERY);
  timer.unref();

  return {
    async stop() {
      clearInterval(timer);
      await writing;
      if (isReached) await write('DOWN');
    },
  };
}
