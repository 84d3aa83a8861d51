import type { ZoneStatus } from '../zones/zone.ts';

export interface StatisticsReads {
  /** Number of zones, and of zones with each status other than ACTIVE. */
  zones(onBehalfOf: string): Promise<{
    readonly total: number;
    readonly others: Readonly<Partial<Record<ZoneStatus, number>>>;
  }>;
  /** Number of orders waiting for name servers, and the time since which the oldest is waiting; '' for none. */
  waiting(onBehalfOf: string): Promise<{ readonly orders: number; readonly since: string }>;
}
