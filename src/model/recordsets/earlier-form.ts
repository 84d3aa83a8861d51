/** Converts recordsets that earlier versions stored. */
import { canonicalName } from '../../dns/names.ts';
import { parseRdata } from '../../dns/parse-rdata.ts';
import { earlierText, presentText } from '../../dns/rdata/domain-name.ts';
import { canonicalType, isRecordType } from '../../dns/record-types.ts';
import type { Recordset } from './recordset.ts';

/** Whether the type was unknown when the recordset was stored and is known now. */
export function hasEarlierType({ type }: Pick<Recordset, 'type'>): boolean {
  return canonicalType(type) !== type;
}

function presentRdata(type: string, text: string): string {
  // Nearly all texts contain only characters that were always written this way, and need no parsing.
  if (presentText(text) === text) return text;
  const parsed = isRecordType(type) ? parseRdata(type, text) : undefined;
  return parsed?.ok === true && earlierText(parsed.rdata) === text ? parsed.rdata : text;
}

/**
 * The recordset with its names in this version's canonical text, or the same object if they already are.
 * @param keepsTexts true to show clients the records as before
 */
export function inPresentForm(recordset: Recordset, keepsTexts: boolean): Recordset {
  const { type, records, spellings } = recordset;
  const name = canonicalName<Recordset['name']>(presentText(recordset.name));
  const pairs = records.map((text) => [text, presentRdata(type, text)] as const);
  if (name === recordset.name && pairs.every(([before, after]) => before === after)) return recordset;
  const spelled = pairs.flatMap(([before, after]) => {
    const shown = spellings[before] ?? (keepsTexts ? before : after);
    return shown === after ? [] : [[after, shown] as const];
  });
  const texts = new Set(pairs.map(([, after]) => after));
  return { ...recordset, name, records: [...texts], spellings: Object.fromEntries(spelled) };
}
