import { earlier } from '../clock.ts';
import type { ListQuery } from '../lists.ts';

/**
 * Parts of a process under Designate's service names: the API, the rules with the store, the publisher, its periodic
 * work, and the hidden primary if it listens.
 */
export type ServiceName = 'api' | 'central' | 'worker' | 'producer' | 'mdns';

/** @param listens true if the hidden primary has an address */
export function partsOf(listens: boolean): readonly ServiceName[] {
  const always = ['api', 'central', 'worker', 'producer'] as const;
  return listens ? [...always, 'mdns'] : always;
}

/** Interval between heartbeats, and the silence after which a part is DOWN; in milliseconds. */
export const HEARTBEAT_EVERY = 10_000;
export const DOWN_AFTER = 30_000;
/** How long the parts of a stopped process remain listed, in milliseconds. */
export const GONE_AFTER = 86_400_000;

/** One part of one process. */
export interface ServiceStatus {
  readonly id: string;
  readonly serviceName: ServiceName;
  readonly hostname: string;
  /** The last status reported by the process; DOWN if its heartbeats stopped. */
  readonly status: 'UP' | 'DOWN';
  readonly heartbeatedAt: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

export const SERVICE_STATUS_SORT_KEYS = [
  'created_at',
  'updated_at',
  'id',
  'hostname',
  'service_name',
  'status',
] as const;
export const SERVICE_STATUS_FILTERS = ['hostname', 'service_name', 'status'] as const;
export type ServiceStatusQuery = ListQuery<
  (typeof SERVICE_STATUS_SORT_KEYS)[number],
  (typeof SERVICE_STATUS_FILTERS)[number]
>;

/** The time such that an older heartbeat means DOWN. */
export function silentBefore(now: string): string {
  return earlier(now, DOWN_AFTER);
}
