import type { Lists } from '../lists.ts';
import type { ServiceStatus, ServiceStatusQuery } from './service-status.ts';

/** A part of a process whose last heartbeat was before the given time is DOWN. */
export interface ServiceStatusReads
  extends Lists<ServiceStatus, ServiceStatusQuery, { readonly silentBefore: string }> {
  find(id: string, silentBefore: string): Promise<ServiceStatus | undefined>;
}

export interface ServiceStatusWrites {
  /** Writes the heartbeats of parts of a process, whether or not they are there. */
  put(statuses: readonly ServiceStatus[]): void;
  /** Removes those without a heartbeat since the given time. */
  removeSilent(before: string): void;
}
