import { isLaterSerial } from '../../dns/serial.ts';
import { secondsBetween } from '../../model/clock.ts';
import type { MetricsRecorder } from '../../model/metrics/metrics-recorder.ts';
import { formatAddress } from '../../model/pools/pool.ts';
import type { ClaimedOrder, OrderOutcome } from '../../model/publication/publication.ts';

function isReached(serial: number, published: number | null): boolean {
  return published !== null && !isLaterSerial(serial, published);
}

/** True if enough servers have the change now and did not before. */
function isArrival(order: ClaimedOrder, { isDone, publishedSerial }: OrderOutcome): boolean {
  if (order.isRemoval) return isDone;
  return isReached(order.serial, publishedSerial) && !isReached(order.serial, order.publishedSerial);
}

/** Records the outcome of an attempt in the metrics. */
export function recordOutcome(
  meter: Pick<MetricsRecorder, 'zonePublished' | 'serverFailed'>,
  order: ClaimedOrder,
  outcome: OrderOutcome,
  now: string,
): void {
  for (const server of outcome.servers) if (server.fault !== null) meter.serverFailed(formatAddress(server));
  // A retried order counts from when its servers fell behind.
  const orderedAt = order.attempts === 0 ? order.orderedAt : order.pendingSince;
  if (orderedAt !== '' && isArrival(order, outcome)) meter.zonePublished(secondsBetween(orderedAt, now));
}
