import type { Lists } from '../lists.ts';
import type { ServiceStatus, ServiceStatusQuery } from './service-status.ts';

/** Parts whose last heartbeat is older than `silentBefore` are DOWN. */
export interface ServiceStatusReads
  extends Lists<ServiceStatus, ServiceStatusQuery, { readonly silentBefore: string }> {
  find(id: string, silentBefore: string): Promise<ServiceStatus | undefined>;
}

export interface ServiceStatusWrites {
  /** Stores heartbeats, whether or not the parts are known. */
  put(statuses: readonly ServiceStatus[]): void;
  /** Removes parts without a heartbeat since the given time. */
  removeSilent(before: string): void;
}
