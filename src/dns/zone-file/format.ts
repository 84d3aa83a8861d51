import type { WrittenZone, ZoneFileRecordset } from './zone.ts';

const NOT_ONE_LINE = /[^\x20-\x7e]/;

/** Defence in depth: no value may inject a line. */
function requireOneLine(line: string): string {
  if (NOT_ONE_LINE.test(line))
    throw new TypeError('A zone file cannot be written from text that is not canonical.');
  return `${line}\n`;
}

function recordsetLines(recordset: Omit<ZoneFileRecordset, 'name'> & { readonly name: string }): string {
  const head = `${recordset.name} ${recordset.ttl} IN ${recordset.type}`;
  return recordset.records.map((rdata) => requireOneLine(`${head} ${rdata}`)).join('');
}

/**
 * The zone file in pieces of whole lines: one line per record, every name and TTL in full, the SOA first. Reading it
 * gives the same zone again.
 */
export function* zoneFileParts(zone: WrittenZone): Generator<string, void> {
  yield requireOneLine(`$ORIGIN ${zone.origin}`);
  yield recordsetLines({ name: zone.origin, type: 'SOA', ttl: zone.soa.ttl, records: [zone.soa.rdata] });
  for (const recordset of zone.recordsets) yield recordsetLines(recordset);
}

/** The whole zone file as one text. */
export function formatZoneFile(zone: WrittenZone): string {
  return [...zoneFileParts(zone)].join('');
}
