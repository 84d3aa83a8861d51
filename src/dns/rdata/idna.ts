import { type Spellings, spellName } from '../idna.ts';
import { isAscii } from './letter-case.ts';
import { RdataError, shown } from './rdata-error.ts';

/** Longer U-labels cannot fit in 63 ASCII characters. This also bounds the cost of the conversion. */
const MAX_U_LABEL = 252;

const A_LABEL = /^[a-z0-9_-]{1,63}$/;
const ASCII_OF_U_LABEL = /^[A-Za-z0-9_\-\u0080-\uffff]+$/;

function refuse(label: string, why: string): never {
  throw new RdataError(`The label ${shown(label)} ${why}. Write the A-label instead, xn--….`);
}

/** Applies UTS 46 to one label. The mapping must not add characters that an ASCII label could not contain. */
function convert(label: string): Spellings {
  if (label.length > MAX_U_LABEL) refuse(label, 'is too long');
  if (!ASCII_OF_U_LABEL.test(label)) refuse(label, 'mixes non-ASCII letters with special characters');
  const spelled = spellName(label);
  if (spelled === undefined) refuse(label, 'is not allowed by IDNA (UTS 46)');
  if (!A_LABEL.test(spelled.ascii)) refuse(label, 'does not map to one label of letters, digits, - and _');
  return spelled;
}

/** An A-label must decode to a label without a hyphen at either end (RFC 5891), and convert back to itself. */
function requireGenuine(label: string, spelled: Spellings | undefined): void {
  if (spelled?.ascii === label && !/^-|-$/.test(spelled.unicode)) return;
  throw new RdataError(
    `The label ${shown(label)} begins with xn-- but is not an A-label (RFC 5890). Correct it, or write the label in Unicode.`,
  );
}

/**
 * A-labels of recently converted labels. A conversion costs as much as reading some hundred characters, and most names
 * in a zone share labels.
 */
const converted = new Map<string, string>();
const MAX_CONVERTED = 4096;

function keep(label: string, ascii: string): string {
  if (converted.size >= MAX_CONVERTED) converted.clear();
  // Copy: a label sliced from a file would keep the whole file in memory.
  converted.set(Buffer.from(label, 'utf16le').toString('utf16le'), ascii);
  return ascii;
}

/**
 * The A-label of one label; plain ASCII is only lowercased. Labels are converted one by one, so that the bidi rule of a
 * right-to-left label does not apply to a `_dmarc` before it.
 * @throws RdataError
 */
export function toALabel(label: string): string {
  const lower = isAscii(label) ? label.toLowerCase() : undefined;
  if (lower !== undefined && !lower.startsWith('xn--')) return lower;
  const known = converted.get(lower ?? label);
  if (known !== undefined) return known;
  // A valid A-label and its U-label have the same Unicode form, so one conversion covers both.
  const spelled = lower === undefined ? convert(label) : spellName(lower);
  const ascii = lower ?? spelled!.ascii;
  if (ascii.startsWith('xn--')) requireGenuine(ascii, spelled);
  return keep(lower ?? label, ascii);
}
