import type { WireRecord } from '../../dns/wire/message.ts';
import type { JournalEntry, JournalRecord, ServedZone } from '../../model/publication/publication.ts';
import type { ZoneTransferReads } from '../../model/publication/store.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { type RecordPage, type Served, wireRecord } from './served.ts';

function soaRecord({ name, ttl }: ServedZone, rdata: string): WireRecord {
  return wireRecord(name, 'SOA', ttl, rdata);
}

/** The records of a recordset, except the SOA, which is sent separately. */
function recordsOf(zone: ServedZone, { name, type, ttl, records }: Recordset): WireRecord[] {
  if (type === 'SOA') return [];
  return records.map((rdata) => wireRecord(name, type, ttl ?? zone.ttl, rdata));
}

async function* wholeZone(reads: ZoneTransferReads, zone: ServedZone): AsyncGenerator<RecordPage> {
  const ends = [soaRecord(zone, zone.soa)];
  yield ends;
  let page = await reads.recordsets(zone.id);
  while (page.length > 0) {
    yield page.flatMap((recordset) => recordsOf(zone, recordset));
    page = await reads.recordsets(zone.id, page.at(-1));
  }
  yield ends;
}

const journalRecord = (record: JournalRecord): WireRecord => wireRecord(...record);

async function* changesOf(zone: ServedZone, entries: readonly JournalEntry[]): AsyncGenerator<RecordPage> {
  const ends = [soaRecord(zone, zone.soa)];
  yield ends;
  for (const { soa, removed, added } of entries) {
    yield [soaRecord(zone, soa[0]), ...removed.map(journalRecord)];
    yield [soaRecord(zone, soa[1]), ...added.map(journalRecord)];
  }
  yield ends;
}

export function servedZone(zone: ServedZone): Served {
  return {
    zoneId: zone.id,
    serial: zone.serial,
    soa: soaRecord(zone, zone.soa),
    all: (reads) => wholeZone(reads, zone),
    since: async (reads, serial) => {
      const entries = await reads.journal(zone, serial);
      return entries === undefined ? undefined : changesOf(zone, entries);
    },
  };
}
