import type { ZoneStatus } from '../zones/zone.ts';

export interface StatisticsReads {
  /** How many zones there are, and how many of them have a status other than ACTIVE. */
  zones(onBehalfOf: string): Promise<{
    readonly total: number;
    readonly others: Readonly<Partial<Record<ZoneStatus, number>>>;
  }>;
  /** The orders that wait for name servers, and since when the oldest; '' for none. */
  waiting(onBehalfOf: string): Promise<{ readonly orders: number; readonly since: string }>;
}
