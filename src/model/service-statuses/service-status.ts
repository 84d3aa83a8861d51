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
export const HEARTBEAT_MS = 10_000;
export const DOWN_AFTER = 30_000;
/** How long the parts of a stopped process remain listed, in milliseconds. */
export const GONE_AFTER = 86_400_000;

/** What a process has done of a job, as of its last heartbeat. */
export interface JobReport {
  /** The pause after a slice that left nothing to do, in milliseconds. */
  readonly intervalMs: number;
  /** Slices that ended without an error, and those that did not. */
  readonly slices: number;
  readonly failures: number;
  /** When the last slice ended without an error, and how long it took in milliseconds; null before the first. */
  readonly lastSuccessAt: string | null;
  readonly lastMs: number | null;
}

/** One part of one process. */
export interface ServiceStatus {
  readonly id: string;
  readonly serviceName: ServiceName;
  readonly hostname: string;
  /** The last status reported by the process; DOWN if its heartbeats stopped. */
  readonly status: 'UP' | 'DOWN';
  /** The jobs of this part, by name. */
  readonly jobs: Readonly<Record<string, JobReport>>;
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
