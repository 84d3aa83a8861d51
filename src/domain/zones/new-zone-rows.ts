import type { Clock } from '../../model/clock.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { type ApexSettings, apexRecordsets } from './apex.ts';

/** Writes new zones with their apexes and publication orders, with one statement for each kind of row. */
export function writeNewZones(
  tx: Transaction,
  zones: readonly Zone[],
  { apex, clock }: { readonly apex: ApexSettings; readonly clock: Clock },
): void {
  tx.zones.insert(...zones);
  tx.recordsets.insertApex(
    ...zones.map((zone) => ({ recordsets: apexRecordsets(zone, apex, clock), serial: zone.serial })),
  );
  const published = zones.filter(({ type, pool }) => type !== 'SECONDARY' && pool.publishes);
  if (published.length > 0) tx.publications.enroll(...published);
  for (const zone of zones) if (zone.type === 'SECONDARY') tx.secondaries.insert(zone);
}
