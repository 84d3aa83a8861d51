/** SPF and DMARC records among texts. */
import type { OwnerName } from '../../dns/names.ts';
import { unescapeText } from '../../dns/rdata/character-string.ts';
import { tokenizeLine } from '../../dns/rdata/tokens.ts';
import type { StoredType } from '../../dns/record-types.ts';
import { dmarcFault } from './dmarc.ts';
import { isSpf, spfFault } from './spf.ts';

interface TextRecordset {
  readonly name: OwnerName;
  readonly type: StoredType;
  /** Canonical rdata. */
  readonly records: readonly string[];
}

/** The text of a record: its strings, joined without a space (RFC 7208, section 3.3), with a character for each byte. */
function joinedText(rdata: string): string {
  return tokenizeLine(rdata)
    .map(({ text }) => String.fromCharCode(...unescapeText(text)))
    .join('');
}

/** Why a text at a name is not the mail policy that it is meant to be; undefined if it is, or is none. */
function policyFault(name: OwnerName, text: string): string | undefined {
  const spf = spfFault(text);
  if (spf !== undefined) return `is not a valid SPF record: ${spf} (RFC 7208, section 12)`;
  const dmarc = name.startsWith('_dmarc.') ? dmarcFault(text) : undefined;
  return dmarc && `is not a valid DMARC record: ${dmarc} (RFC 7489, section 6.4)`;
}

/**
 * What is wrong with the mail policies among the new records of a recordset, each as the rest of a sentence that begins
 * with the recordset.
 * @param before its earlier records, which are not checked again
 */
export function mailPolicyFaults(
  { name, type, records }: TextRecordset,
  before: readonly string[],
): readonly string[] {
  if (type !== 'TXT' && type !== 'SPF') return [];
  const present = new Set(before);
  const added = records.filter((rdata) => !present.has(rdata)).map(joinedText);
  const faults = added.map((text) => policyFault(name, text)).filter((fault) => fault !== undefined);
  if (!added.some(isSpf)) return faults;
  const count = records.map(joinedText).filter(isSpf).length;
  if (count < 2) return faults;
  return [
    `has ${count} SPF records, and receivers accept only one (RFC 7208, section 4.5): merge them`,
    ...faults,
  ];
}
