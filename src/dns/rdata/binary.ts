/** Binary fields as text: base64 and hexadecimal (RFC 4648 sections 4 and 8). */
import type { RdataFields } from './fields.ts';
import { RdataError, shown } from './rdata-error.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const HEX = /^[0-9A-Fa-f]*$/;

/** @throws RdataError */
export function decodeBase64(text: string, what: string): number[] {
  if (text === '' || text.length % 4 !== 0 || !BASE64.test(text)) {
    throw new RdataError(
      `The ${what} ${shown(text)} is not base64. Use A-Z, a-z, 0-9, + and /, padded with = to groups of four characters.`,
    );
  }
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) {
    throw new RdataError(`The ${what} ends with base64 bits that do not fill a byte. Copy all of it again.`);
  }
  return [...bytes];
}

export const formatBase64 = (bytes: readonly number[]): string => Buffer.from(bytes).toString('base64');

/**
 * Reads the rest of the text as base64, which may contain spaces.
 * @throws RdataError
 */
export function readBase64(fields: RdataFields, what: string): void {
  const bytes = decodeBase64(fields.takeRest(what), what);
  fields.write(formatBase64(bytes), bytes);
}

/**
 * Reads the rest of the text as hexadecimal digits, which may contain spaces; canonical text is lower case.
 * @param length required number of bytes, if any
 * @throws RdataError
 */
export function readHex(fields: RdataFields, what: string, length: number | undefined): void {
  const text = fields.takeRest(what);
  if (text === '' || text.length % 2 !== 0 || !HEX.test(text)) {
    throw new RdataError(
      `The ${what} ${shown(text)} is not hexadecimal. Write two hexadecimal digits for each byte.`,
    );
  }
  const bytes = [...Buffer.from(text, 'hex')];
  if (length !== undefined && bytes.length !== length) {
    throw new RdataError(
      `The ${what} has ${bytes.length} bytes, but its type requires ${length}. Copy all of it again, or correct the type.`,
    );
  }
  fields.write(text.toLowerCase(), bytes);
}
