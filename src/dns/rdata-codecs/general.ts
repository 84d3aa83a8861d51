/** The general form of rdata (RFC 3597 section 5). */
import { RdataError, shown } from '../rdata/rdata-error.ts';

const GENERAL = /^\\# ([0-9]{1,5})(?: ([0-9a-f]+))?$/;

export const isGeneral = (text: string): boolean => text.startsWith('\\# ');

export function formatGeneral(octets: Buffer): string {
  return octets.length === 0 ? '\\# 0' : `\\# ${octets.length} ${octets.toString('hex')}`;
}

/** @throws RdataError */
export function parseGeneral(text: string): Buffer {
  const [, length, hex = ''] = GENERAL.exec(text) ?? [];
  if (length === undefined || hex.length !== 2 * Number(length)) {
    throw new RdataError(
      `${shown(text)} is not rdata in the general form of RFC 3597. Write \\#, the number of bytes, and the bytes in hexadecimal.`,
    );
  }
  return Buffer.from(hex, 'hex');
}
