import { groupsOfExpression } from './extended-regexp.ts';
import type { RdataFields } from './fields.ts';
import { RdataError, shown } from './rdata-error.ts';

const FLAGS = /^[A-Za-z0-9]*$/;
const BACKSLASH = 0x5c;
const DELIMITER = /^[!-/:-@A-HJ-Z[\]^_`a-hj-z{|}~]/;

const latin1 = (bytes: readonly number[]): string => Buffer.from(bytes).toString('latin1');

function requireFlags(bytes: readonly number[]): void {
  const flags = latin1(bytes);
  if (!FLAGS.test(flags)) {
    throw new RdataError(
      `The flags ${shown(flags)} are not letters and digits. Write flags such as "S", "A", "U" or "".`,
    );
  }
}

/** The parts between the delimiters. A backslash escapes a delimiter. */
function splitAt(bytes: readonly number[], delimiter: number): number[][] {
  const parts: number[][] = [[]];
  for (let at = 1; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === delimiter) {
      parts.push([]);
      continue;
    }
    parts.at(-1)!.push(byte);
    if (byte === BACKSLASH && at + 1 < bytes.length) {
      at += 1;
      parts.at(-1)!.push(bytes[at]!);
    }
  }
  return parts;
}

/** A back-reference \1 to \9 must refer to an existing group. */
function requireReplacement(replacement: string, groups: number): void {
  for (const [, digit] of replacement.matchAll(/\\([\s\S])/g)) {
    if (digit! >= '0' && digit! <= '9' && (digit === '0' || Number(digit) > groups)) {
      throw new RdataError(
        `The replacement in the regexp refers to the group \\${digit}, which the expression does not have. Use an existing group.`,
      );
    }
  }
}

/** RFC 3402 section 3.2: `!expression!replacement!flags`. */
function requireSubstitution(bytes: readonly number[]): void {
  if (bytes.length === 0) return;
  const text = latin1(bytes);
  const [expression = '', replacement = '', flags, ...others] = splitAt(bytes, bytes[0]!).map(latin1);
  if (
    !DELIMITER.test(text) ||
    flags === undefined ||
    others.length > 0 ||
    !/^i?$/.test(flags) ||
    text.includes('\0')
  ) {
    throw new RdataError(
      `The regexp ${shown(text)} is not a substitution. Write "!expression!replacement!" or "!expression!replacement!i", ` +
        'where ! may be another delimiter, and \\\\ for each backslash (RFC 3402).',
    );
  }
  const groups = groupsOfExpression(expression);
  if (groups === undefined) {
    throw new RdataError(
      `The expression ${shown(expression)} in the regexp is not a POSIX extended regular expression. Correct it.`,
    );
  }
  requireReplacement(replacement, groups);
}

/**
 * NAPTR: RFC 3403 section 4.1, RFC 2915 section 2. There, a record with both a regexp and a replacement is an error;
 * but name servers load it, and zones contain such records.
 */
export function readNaptr(fields: RdataFields): void {
  fields.readNumber('order', 2);
  fields.readNumber('preference', 2);
  requireFlags(fields.readCharacterString('flags field'));
  fields.readCharacterString('services field');
  requireSubstitution(fields.readCharacterString('regexp'));
  fields.readName('replacement');
}
