import { durationSeconds, readDuration } from '../rdata/duration.ts';
import { upperAscii } from '../rdata/letter-case.ts';
import { RdataError, shown } from '../rdata/rdata-error.ts';
import type { Token } from '../rdata/tokens.ts';
import { isRecordType, RECORD_TYPES, type RecordType } from '../rdata.ts';

const CLASSES: ReadonlySet<string> = new Set(['IN', 'CH', 'CS', 'HS', 'ANY', 'NONE']);
const NUMBERED_TYPE = /^TYPE[0-9]+$/;

export interface Head {
  readonly ttl: number | undefined;
  readonly type: RecordType;
  /** How many tokens the head takes. */
  readonly length: number;
}

/** The head before the rdata: the TTL and the class, in either order, and the type. */
export function readHead(tokens: readonly Token[], start: number): Head {
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

export function requireWord(token: Token): string {
  if (!token.quoted && token.value === undefined) return token.text;
  throw new RdataError(`The word ${shown(token.text)} before the rdata is in quotes. Write it without them.`);
}

function requireInternet(name: string): void {
  if (name !== 'IN')
    throw new RdataError(`The class ${name} is not supported. Write IN, or leave the class out.`);
}

function requireType(name: string): RecordType {
  if (isRecordType(name)) return name;
  const why = NUMBERED_TYPE.test(name) ? 'is a number (RFC 3597)' : 'is not supported';
  throw new RdataError(
    `The record type ${shown(name)} ${why}. Remove the record, or use one of ${RECORD_TYPES.join(', ')}.`,
  );
}
