import { canonicalName, LABEL, type OwnerName } from './names.ts';
import type { Parsed } from './parsed.ts';
import { readDomainName } from './rdata/domain-name.ts';
import { toALabel } from './rdata/idna.ts';
import { isAscii } from './rdata/letter-case.ts';
import { RdataError, shown } from './rdata/rdata-error.ts';

const MAX_LENGTH = 254;
/** The text may be longer than the name: U-labels, escapes, and characters that IDNA removes. */
const MAX_TEXT_LENGTH = 1020;
const MAX_LABEL = 63;
const EMPTY_LABEL = 'The name has an empty label. Put a single dot between labels.';
const PERMITTED = /^[A-Za-z0-9_/+-]+$/;
const ESCAPE = /\\(?:[0-9]{3}|.)/g;
const ESCAPED_DOT = /\\\./;
const ESCAPED_CONTROL = /^\\(?:0[0-2][0-9]|03[01]|127)$/;
/** Types whose owners are host names, and the permitted characters that host names exclude. */
const HOST_TYPES: readonly string[] = ['A', 'AAAA', 'MX'];
const NOT_OF_HOSTS = /[/+\\]/;

/** The rule for ASCII text before and after IDNA: the mapping must not add other characters. */
function requirePermitted(label: string): void {
  if (!PERMITTED.test(label)) {
    throw new RdataError(
      label.includes('*')
        ? `The label ${shown(label)} contains a *. A * must be the whole leftmost label, as in *.example.com.`
        : `The label ${shown(label)} contains characters other than letters, digits, -, _, / and +. Escape them (\\032 for a space), or remove them.`,
    );
  }
  if (label.length > MAX_LABEL) {
    throw new RdataError(
      `The label ${shown(label)} has ${label.length} characters; a label has at most 63. Shorten it.`,
    );
  }
  requireNoHyphenAtAnEdge(label);
}

function requireNoHyphenAtAnEdge(label: string): void {
  if (label.startsWith('-') || label.endsWith('-')) {
    throw new RdataError(`The label ${shown(label)} begins or ends with a hyphen. Remove the hyphen.`);
  }
}

function canonicalLabel(label: string, index: number): string {
  if (label === '*' && index === 0) return label;
  if (label === '') throw new RdataError(EMPTY_LABEL);
  if (isAscii(label)) requirePermitted(label);
  const ascii = toALabel(label);
  requirePermitted(ascii);
  return ascii;
}

function requireEscapable(label: string, index: number): void {
  if (!label.includes('\\')) return void canonicalLabel(label, index);
  if (ESCAPED_DOT.test(label)) {
    throw new RdataError(`The label ${shown(label)} contains a dot. Remove it: dots only separate labels.`);
  }
  if (label.match(ESCAPE)!.some((one) => ESCAPED_CONTROL.test(one))) {
    throw new RdataError(`The label ${shown(label)} contains a control character. Remove it.`);
  }
  requirePermitted(label.replace(ESCAPE, '_'));
  toALabel(label);
}

function requireTyped(label: string): void {
  if (label === '') throw new RdataError(EMPTY_LABEL);
  requirePermitted(label);
}

/** A name with escapes (RFC 1035, section 5.1; RFC 6763, section 4.1). */
function convertEscaped(text: string): string {
  for (const label of text.replace(ESCAPE, '_').slice(0, -1).split('.')) {
    if (label !== '*') requireTyped(label);
  }
  const name = readDomainName(text, null).text;
  name.match(LABEL)!.forEach((label, index) => {
    requireEscapable(label.slice(0, -1), index);
  });
  return name;
}

function convert(text: string): string {
  if (text.length > MAX_TEXT_LENGTH) {
    throw new RdataError(
      `The name has ${text.length} characters; a name has at most ${MAX_LENGTH}. Shorten it.`,
    );
  }
  if (!text.endsWith('.')) {
    throw new RdataError(`The name ${shown(text)} has no final dot. Write the full name, with a final dot.`);
  }
  if (text.includes('\\')) return convertEscaped(text);
  const name = `${text.slice(0, -1).split('.').map(canonicalLabel).join('.')}.`;
  if (name.length > MAX_LENGTH) {
    throw new RdataError(
      `The name has ${name.length} characters; a name has at most ${MAX_LENGTH}. Shorten it.`,
    );
  }
  return name;
}

/**
 * The canonical form of a recordset name (lower case, A-labels, final dot), or why it is invalid; never throws. Labels
 * may contain letters, digits, - (not at an edge), _, / and +, and other octets as escapes, except dots and control
 * characters (RFC 2181, section 11). The leftmost label may be * (RFC 4592).
 */
export function parseOwnerName(text: string): Parsed<OwnerName> {
  try {
    return { ok: true, value: canonicalName(convert(text)) };
  } catch (error) {
    if (error instanceof RdataError) return { ok: false, reason: error.reason };
    throw error;
  }
}

/**
 * Why recordsets of the type cannot have this name in any zone, or undefined. Addresses and MX need a host name (RFC
 * 1123, section 2.1).
 */
export function hostFault(name: OwnerName, type: string): string | undefined {
  if (!HOST_TYPES.includes(type) || !NOT_OF_HOSTS.test(name)) return undefined;
  return `The name of ${type === 'MX' ? 'an MX' : `an ${type}`} may contain only letters, digits, - and _: ${shown(name)} is not a host name.`;
}
