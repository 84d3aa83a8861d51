import { zoneFileParts } from '../../dns/zone-file/format.ts';
import { type Limits, limitsOf, requireCapacity } from '../../model/quotas/quota.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { RecordsetPages } from '../../model/recordsets/store.ts';
import type { Store } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { cooperativeYield, type TimeSlices } from '../../runtime/cooperative-yield.ts';
import { type PastZone, pastRecordsets } from './past-zone.ts';

/** Recordsets of a page in memory. */
const PAGE = 500;

/** The contents of a zone as they were. */
export interface PastContents extends Pick<PastZone, 'serial' | 'ttl'> {
  readonly origin: Zone['name'];
  /** In the order of the tree, and then by type. Each page is the JSON of its recordsets. */
  readonly pages: readonly Buffer[];
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
  const pages: Buffer[] = [];
  let size = 0;
  let waiting: Recordset[] = [];
  const flush = () => {
    if (waiting.length > 0) pages.push(Buffer.from(JSON.stringify(waiting)));
    waiting = [];
  };
  for await (const page of pastRecordsets(zone, past, reads, turns)) {
    for (const recordset of page) {
      waiting.push(recordset);
      size += 1;
      requireCapacity('api_export_size', limit, size, size);
      if (waiting.length >= PAGE) flush();
      if (turns.isOver) await turns.next();
    }
  }
  flush();
  return { serial: past.serial, ttl: past.ttl, origin: zone.name, pages };
}

export function recordsetsOf(page: Buffer): readonly Recordset[] {
  return JSON.parse(page.toString());
}

/** The contents as a zone file, in chunks that are built on demand. */
export async function* zoneFileOf({ origin, ttl, pages }: PastContents): AsyncGenerator<string, void> {
  const soa = recordsetsOf(pages[0]!).find(({ type }) => type === 'SOA')!.records[0]!;
  function* others() {
    for (const page of pages) yield* recordsetsOf(page).filter(({ type }) => type !== 'SOA');
  }
  let text = '';
  for (const part of zoneFileParts({ origin, soa: { ttl, rdata: soa }, recordsets: others() })) {
    text += part;
    if (text.length < 65_536) continue;
    yield text;
    text = '';
    await cooperativeYield();
  }
  yield text;
}
