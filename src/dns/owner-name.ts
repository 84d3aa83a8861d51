import { canonicalName, type OwnerName } from './names.ts';
import type { Parsed } from './parsed.ts';
import { toALabel } from './rdata/idna.ts';
import { isAscii } from './rdata/letter-case.ts';
import { RdataError, shown } from './rdata/rdata-error.ts';

const MAX_LENGTH = 254;
/** U-labels, and characters that IDNA removes, may make the text longer than its A-labels. */
const MAX_TEXT_LENGTH = 1000;
const MAX_LABEL = 63;
const PERMITTED = /^[A-Za-z0-9_-]+$/;

/** The rule for ASCII text, before and after IDNA; the mapping must not add other characters. */
function requirePermitted(label: string): void {
  if (!PERMITTED.test(label)) {
    throw new RdataError(
      label.includes('*')
        ? `The label ${shown(label)} contains a *. A * must be the whole leftmost label: *.example.com.`
        : `The label ${shown(label)} contains characters other than letters, digits, - and _. Remove them.`,
    );
  }
  if (label.length > MAX_LABEL) {
    throw new RdataError(
      `The label ${shown(label)} has ${label.length} characters; a label has at most 63. Shorten it.`,
    );
  }
  if (label.startsWith('-') || label.endsWith('-')) {
    throw new RdataError(`The label ${shown(label)} begins or ends with a hyphen. Remove the hyphen.`);
  }
}

function canonicalLabel(label: string, index: number): string {
  if (label === '*' && index === 0) return label;
  if (label === '') throw new RdataError('The name has an empty label. Put only one dot between two labels.');
  if (isAscii(label)) requirePermitted(label);
  const ascii = toALabel(label);
  requirePermitted(ascii);
  return ascii;
}

function convert(text: string): string {
  if (text.length > MAX_TEXT_LENGTH) {
    throw new RdataError(
      `The name has ${text.length} characters; a name has at most ${MAX_LENGTH}. Shorten it.`,
    );
  }
  if (!text.endsWith('.')) {
    throw new RdataError(
      `The name ${shown(text)} has no final dot. Write the whole name, and end it with a dot.`,
    );
  }
  const name = `${text.slice(0, -1).split('.').map(canonicalLabel).join('.')}.`;
  if (name.length > MAX_LENGTH) {
    throw new RdataError(
      `The name has ${name.length} characters; a name has at most ${MAX_LENGTH}. Shorten it.`,
    );
  }
  return name;
}

/**
 * The canonical form of a recordset name, lower case with A-labels and final dot, or why it is not valid; never throws.
 * Labels hold letters, digits, - (inside) and _; a * may be the leftmost label (RFC 4592).
 */
export function parseOwnerName(text: string): Parsed<OwnerName> {
  try {
    return { ok: true, value: canonicalName(convert(text)) };
  } catch (error) {
    if (error instanceof RdataError) return { ok: false, reason: error.reason };
    throw error;
  }
}
