import { durationSeconds, readDuration } from '../rdata/duration.ts';
import { upperAscii } from '../rdata/letter-case.ts';
import { RdataError, shown } from '../rdata/rdata-error.ts';
import type { RdataToken } from '../rdata/tokens.ts';
import {
  findTypeNumber,
  isSignerType,
  parseRecordType,
  RECORD_TYPES,
  type SignerType,
  type StoredType,
  typeName,
} from '../record-types.ts';

const INTERNET: ReadonlySet<string> = new Set(['IN', 'CLASS1']);
const CLASSES: ReadonlySet<string> = new Set([...INTERNET, 'CH', 'CS', 'HS', 'ANY', 'NONE']);

export interface ZoneFileRecordHead<T extends StoredType | SignerType = StoredType | SignerType> {
  readonly ttl: number | undefined;
  readonly type: T;
  /** Number of tokens in the head. */
  readonly length: number;
}

/** Reads the tokens before the rdata: TTL and class in either order, then the type. @throws RdataError */
export function readHead(tokens: readonly RdataToken[], start: number): ZoneFileRecordHead {
  let ttl: number | undefined;
  let hasClass = false;
  for (let at = start; at < tokens.length; at += 1) {
    const word = requireWord(tokens[at]!);
    const upper = upperAscii(word);
    if (CLASSES.has(upper) && !hasClass) {
      requireInternet(upper);
      hasClass = true;
    } else if (ttl === undefined && durationSeconds(word) !== undefined) {
      ttl = readDuration(word, 'TTL');
    } else {
      return { ttl, type: requireType(upper), length: at + 1 };
    }
  }
  throw new RdataError(
    'The record has no type. Write owner, TTL, class, type and rdata on one line, or in parentheses.',
  );
}

export function requireWord(token: RdataToken): string {
  if (!token.quoted && token.value === undefined) return token.text;
  throw new RdataError(`The word ${shown(token.text)} before the rdata is in quotes. Write it without them.`);
}

function requireInternet(name: string): void {
  if (!INTERNET.has(name))
    throw new RdataError(`The class ${name} is not supported. Write IN, or leave the class out.`);
}

function requireType(given: string): StoredType | SignerType {
  const number = findTypeNumber(given);
  const name = number === undefined ? given : typeName(number);
  if (isSignerType(name)) return name;
  const type = parseRecordType(given);
  if (type.ok) return type.value;
  const why = number === undefined ? 'is not supported' : 'cannot be in a zone (RFC 6895)';
  throw new RdataError(
    `The record type ${shown(given)} ${why}. Remove the record, or use one of ${RECORD_TYPES.join(', ')}, or TYPE and its number with rdata in the general form (RFC 3597).`,
  );
}
