/**
 * Domain names in rdata: RFC 1035 sections 3.1 and 5.1, RFC 4343 (letter case, escapes). A label may contain any byte.
 */
import { decimal, escapeBytes, escapeTable, unescapeText } from './character-string.ts';
import { toALabel } from './idna.ts';
import { isAscii } from './letter-case.ts';
import { RdataError, shown } from './rdata-error.ts';

/** A name as canonical text (lower case, absolute, final dot) and as uncompressed wire bytes. */
export interface DomainName {
  readonly text: string;
  readonly wire: readonly number[];
}

const MAX_LABEL = 63;
const MAX_WIRE = 255;
/** In characters, with every byte written as \DDD. */
const MAX_TEXT = 4 * MAX_WIRE;
const DOT = 0x2e;

const ESCAPED = escapeTable('.\\"();@$', 0x21);
/** Characters that canonical text does not escape. */
const ITSELF = /^[A-Za-z0-9_*/+-]$/;
const PLAIN = /^(?:[A-Za-z0-9_*/+-]{1,63}\.)+$/;

const lowerByte = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte);

/**
 * Canonical text by byte of a label. Characters that could mean something in a zone file are escaped: as `\X` if BIND
 * prints them that way, the rest as `\DDD`.
 */
export const LABEL_TEXT: readonly string[] = ESCAPED.map((_, given) => {
  const byte = lowerByte(given);
  const text = ESCAPED[byte]!;
  return text.length > 1 || ITSELF.test(text) ? text : decimal(byte);
});

/** Visible characters that earlier versions did not escape in canonical text, with their escapes. */
const ONCE_ITSELF = ESCAPED.filter((text) => text.length === 1 && !ITSELF.test(text)).map(
  (text) => [text, decimal(text.charCodeAt(0))] as const,
);
const ESCAPE_OF = new Map(ONCE_ITSELF);
const ONCE_OF = new Map(ONCE_ITSELF.map(([text, escaped]) => [escaped, text]));
const CHARACTERS = /\\(?:[0-9]{3}|.)|./g;

/**
 * The form of canonical text that earlier versions stored, such as `a&b` for `a\038b`. The text may be rdata that
 * contains names.
 */
export function earlierText(text: string): string {
  return text.replace(CHARACTERS, (one) => ONCE_OF.get(one) ?? one);
}

/** The canonical text of a name that may have the form of earlier versions. */
export function presentText(name: string): string {
  return name.replace(CHARACTERS, (one) => ESCAPE_OF.get(one) ?? one);
}

function requireLabelLength(length: number, name: string): void {
  if (length === 0) {
    throw new RdataError(`The name ${shown(name)} has an empty label. Put a single dot between labels.`);
  }
  if (length > MAX_LABEL) {
    throw new RdataError(
      `The name ${shown(name)} has a label of ${length} bytes; a label has at most 63. Shorten it.`,
    );
  }
}

/** The labels of absolute presentation text, without the root label. */
function splitLabels(name: string): number[][] {
  const escaped = new Set<number>();
  const bytes = unescapeText(name, (index) => escaped.add(index));
  const labels: number[][] = [];
  let label: number[] = [];
  bytes.forEach((byte, index) => {
    if (byte !== DOT || escaped.has(index)) {
      label.push(lowerByte(byte));
      return;
    }
    requireLabelLength(label.length, name);
    labels.push(label);
    label = [];
  });
  return labels;
}

function fromLabels(labels: readonly number[][], name: string): DomainName {
  const wire: number[] = [];
  let text = '';
  for (const label of labels) {
    wire.push(label.length, ...label);
    text += `${escapeBytes(label, LABEL_TEXT)}.`;
  }
  wire.push(0);
  if (wire.length > MAX_WIRE) {
    throw new RdataError(
      `The name ${shown(name)} has ${wire.length} bytes; a name has at most 255. Shorten it.`,
    );
  }
  return { text: text === '' ? '.' : text, wire };
}

/** The fast path for nearly all names: no escapes, only ASCII. */
function fromPlain(name: string): DomainName {
  const text = name.toLowerCase();
  const wire: number[] = [];
  let lengthAt = 0;
  wire.push(0);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      wire[lengthAt] = wire.length - lengthAt - 1;
      lengthAt = wire.length;
      wire.push(0);
    } else {
      wire.push(code);
    }
  }
  return { text, wire };
}

/** Whether the text ends with an unescaped dot. */
function endsWithDot(text: string): boolean {
  let backslashes = 0;
  for (let at = text.length - 2; text[at] === '\\'; at -= 1) backslashes += 1;
  return text.endsWith('.') && backslashes % 2 === 0;
}

function absolute(text: string, origin: string | null): string {
  if (endsWithDot(text)) return text;
  if (origin === null) {
    throw new RdataError(
      text === '@'
        ? 'The @ stands for the origin only in zone files. Write the full name, with a final dot.'
        : `The name ${shown(text)} has no final dot. Write the full name, with a final dot.`,
    );
  }
  if (text === '@') return origin;
  return origin === '.' ? `${text}.` : `${text}.${origin}`;
}

function toAscii(name: string): string {
  if (name.includes('\\')) {
    throw new RdataError(
      `The name ${shown(name)} mixes escapes with non-ASCII characters. Write its A-labels, xn--….`,
    );
  }
  return name
    .split('.')
    .map((label) => (label === '' ? '' : toALabel(label)))
    .join('.');
}

/**
 * Parses a name in presentation text. Relative names are completed with `origin` (canonical text). If it is null, as in
 * the API, a name without a final dot is refused; the dot is never added. U-labels become A-labels.
 * @throws RdataError
 */
export function readDomainName(text: string, origin: string | null): DomainName {
  if (text === '') throw new RdataError('A domain name is empty. Write the name, or . for the root.');
  if (text.length > MAX_TEXT) {
    throw new RdataError(
      `The name ${shown(text)} has ${text.length} characters; a name has at most ${MAX_TEXT}, including escapes. Shorten it.`,
    );
  }
  const name = absolute(text, origin);
  if (name.length < MAX_WIRE && PLAIN.test(name)) return fromPlain(name);
  if (name === '.') return fromLabels([], name);
  const ascii = isAscii(name) ? name : toAscii(name);
  return fromLabels(splitLabels(ascii), text);
}
