import { type Limits, limitsOf, requireCapacity } from '../../model/quotas/quota.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { RecordsetPages } from '../../model/recordsets/store.ts';
import type { Store } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { KeptRecordsets } from '../recordsets/kept-recordsets.ts';
import { type PastZone, pastRecordsets } from './past-zone.ts';

/** The contents of a zone as they were. */
export interface PastContents extends Pick<PastZone, 'serial'> {
  readonly zone: Pick<Zone, 'name' | 'ttl'>;
  /** In the order of the tree, and then by type. */
  readonly recordsets: KeptRecordsets<Recordset>;
}

/** The maximum number of recordsets that the owner of a zone may export. */
export async function exportLimitOf(
  { store, quotas }: { readonly store: Pick<Store, 'projects'>; readonly quotas: Limits },
  zone: Zone,
): Promise<number> {
  return limitsOf(await store.projects.state(zone.projectId), quotas).api_export_size;
}

/** @throws DomainError `over_quota` as soon as there are more recordsets than the limit */
export async function readPastContents(
  { zone, past, limit }: { readonly zone: Zone; readonly past: PastZone; readonly limit: number },
  reads: RecordsetPages,
  turns: TimeSlices,
): Promise<PastContents> {
  const recordsets = new KeptRecordsets<Recordset>();
  let size = 0;
  for await (const page of pastRecordsets(zone, past, reads, turns)) {
    for (const recordset of page) {
      recordsets.add(recordset, recordset.bytes);
      size += 1;
      requireCapacity('api_export_size', limit, size, size);
      if (turns.isOver) await turns.next();
    }
  }
  return { serial: past.serial, zone: { name: zone.name, ttl: past.ttl }, recordsets };
}
