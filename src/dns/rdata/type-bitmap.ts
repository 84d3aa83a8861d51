/** CSYNC, whose rdata lists types. */
import { findTypeNumber, typeName } from '../record-types.ts';
import type { RdataFields } from './fields.ts';
import { upperAscii } from './letter-case.ts';
import { RdataError, shown } from './rdata-error.ts';

function readType(word: string): number {
  const number = findTypeNumber(upperAscii(word));
  if (number !== undefined && number > 0) return number;
  throw new RdataError(
    `The type ${shown(word)} is unknown. Write a type such as NS, or its number, such as TYPE2.`,
  );
}

/** RFC 4034 section 4.1.2: one window per 256 types, without trailing zero octets. @param types ascending */
function encodeBitmap(types: readonly number[]): number[] {
  const windows = new Map<number, number[]>();
  for (const type of types) {
    const window = windows.get(type >> 8) ?? [];
    windows.set(type >> 8, window);
    const octet = (type & 0xff) >> 3;
    while (window.length <= octet) window.push(0);
    window[octet]! |= 0x80 >> (type & 7);
  }
  return [...windows].flatMap(([number, octets]) => [number, octets.length, ...octets]);
}

/** CSYNC: RFC 7477 section 2.1. The types are sorted; the list may be empty. */
export function readCsync(fields: RdataFields): void {
  fields.readNumber('SOA serial', 4);
  fields.readNumber('flags field', 2);
  const types = new Set<number>();
  while (fields.hasMore) types.add(readType(fields.takeWord('type')));
  const sorted = [...types].sort((a, b) => a - b);
  if (sorted.length > 0) fields.write(sorted.map(typeName).join(' '), encodeBitmap(sorted));
}
