import { zoneFileParts } from '../../dns/zone-file/format.ts';
import type { ZoneFileRecordset } from '../../dns/zone-file/zone.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { KeptRecordsets } from '../recordsets/kept-recordsets.ts';

/** Approximate number of characters per chunk of a file. */
const CHARACTERS_OF_A_TEXT = 65_536;

/** What a zone file says of a zone. */
export interface ZoneOfFile {
  readonly zone: Pick<Zone, 'name' | 'ttl'>;
  /** In name-tree order, then by type. */
  readonly recordsets: KeptRecordsets<ZoneFileRecordset>;
}

/** What a zone file says of a recordset. */
export function inFile({ name, type, ttl, records }: Recordset): ZoneFileRecordset {
  return { name, type, ttl, records };
}

function* withoutSoa({ recordsets }: ZoneOfFile): Generator<ZoneFileRecordset, void> {
  for (const page of recordsets.pages()) yield* page.filter(({ type }) => type !== 'SOA');
}

function soaOf({ zone, recordsets }: ZoneOfFile): string {
  // The apex is the first name.
  for (const page of recordsets.pages()) {
    const soa = page.find(({ type }) => type === 'SOA')?.records[0];
    if (soa !== undefined) return soa;
  }
  throw new Error(`The zone ${zone.name} has no SOA.`);
}

/** Joins short texts into chunks, and yields to others every few milliseconds. @param projectId the project that reads them */
export async function* inChunks(parts: Iterable<string>, projectId: string): AsyncGenerator<string, void> {
  const turns = new TimeSlices(projectId);
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length >= CHARACTERS_OF_A_TEXT) {
      yield text;
      text = '';
    }
    if (turns.isOver) await turns.next();
  }
  yield text;
}

/** The zone file in chunks, each built on demand. @param projectId the project that reads it */
export function zoneFileText(contents: ZoneOfFile, projectId: string): AsyncGenerator<string, void> {
  const { name: origin, ttl } = contents.zone;
  const soa = { ttl, rdata: soaOf(contents) };
  return inChunks(zoneFileParts({ origin, soa, recordsets: withoutSoa(contents) }), projectId);
}
