import { ttlInRdata } from '../rdata-codecs/signature-ttl.ts';
import type { WrittenZone, ZoneFileRecordset } from './zone.ts';

const NOT_ONE_LINE = /[^\x20-\x7e]/;

/** Defence in depth: no value can inject a line. */
function requireOneLine(line: string): string {
  if (NOT_ONE_LINE.test(line))
    throw new TypeError('A zone file cannot be written from text that is not canonical.');
  return `${line}\n`;
}

function recordsetLines(recordset: Omit<ZoneFileRecordset, 'name'> & { readonly name: string }): string {
  const { name, ttl, type } = recordset;
  // Designate leaves a missing TTL empty, and readers of its files rely on both blanks.
  const head = (rdata: string) => `${name} ${ttlInRdata(type, rdata) ?? ttl ?? ''} IN ${type}`;
  return recordset.records.map((rdata) => requireOneLine(`${head(rdata)} ${rdata}`)).join('');
}

/**
 * The zone file in pieces of whole lines: one line per record, names in full, the SOA first. The zone's TTL is the
 * default (`$TTL`, RFC 2308 section 4). Parsing the file gives the same zone.
 */
export function* zoneFileParts(zone: WrittenZone): Generator<string, void> {
  yield requireOneLine(`$ORIGIN ${zone.origin}`);
  yield requireOneLine(`$TTL ${zone.soa.ttl}`);
  yield recordsetLines({ name: zone.origin, type: 'SOA', ttl: null, records: [zone.soa.rdata] });
  for (const recordset of zone.recordsets) yield recordsetLines(recordset);
}

/** The whole zone file as one string. */
export function formatZoneFile(zone: WrittenZone): string {
  return [...zoneFileParts(zone)].join('');
}
