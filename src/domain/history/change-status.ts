import { isLaterSerial } from '../../dns/serial.ts';
import type { PastChange } from '../../model/history/past-change.ts';
import type { Order } from '../../model/publication/publication.ts';
import type { ZoneStatus } from '../../model/zones/zone.ts';

/**
 * The status of a change: ACTIVE once the zone's name servers have its serial.
 * @param order of the zone; undefined if it has no name servers
 */
export function changeStatus({ toSerial }: PastChange, order: Order | undefined): ZoneStatus {
  if (order === undefined) return 'ACTIVE';
  const { publishedSerial, error } = order;
  if (publishedSerial !== null && !isLaterSerial(toSerial, publishedSerial)) return 'ACTIVE';
  return error === '' ? 'PENDING' : 'ERROR';
}
