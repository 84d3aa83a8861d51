import { zoneFileParts } from '../../dns/zone-file/format.ts';
import type { ZoneFileRecordset } from '../../dns/zone-file/zone.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';
import type { ZoneState } from './zone-states.ts';

/** Approximate number of characters per chunk of a file. */
const CHARACTERS_OF_A_TEXT = 65_536;

/** What a zone file says of a recordset. */
export function inFile({ name, type, ttl, records }: Recordset): ZoneFileRecordset {
  return { name, type, ttl, records };
}

function* withoutSoa(state: ZoneState<ZoneFileRecordset>): Generator<ZoneFileRecordset, void> {
  for (const page of state.pages()) yield* page.filter(({ type }) => type !== 'SOA');
}

function soaOf(state: ZoneState<ZoneFileRecordset>): string {
  // The apex is the first name.
  for (const page of state.pages()) {
    const soa = page.find(({ type }) => type === 'SOA')?.records[0];
    if (soa !== undefined) return soa;
  }
  throw new Error(`The zone ${state.zone.id} has no SOA.`);
}

/** Joins short texts into chunks, and yields to others after each. */
export async function* inChunks(parts: Iterable<string>): AsyncGenerator<string, void> {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < CHARACTERS_OF_A_TEXT) continue;
    yield text;
    text = '';
    await cooperativeYield();
  }
  yield text;
}

/** The zone file in chunks, each built on demand. */
export function zoneFileText(state: ZoneState<ZoneFileRecordset>): AsyncGenerator<string, void> {
  const { zone } = state;
  const soa = { ttl: zone.ttl, rdata: soaOf(state) };
  return inChunks(zoneFileParts({ origin: zone.name, soa, recordsets: withoutSoa(state) }));
}
