import type { StoredType } from '../record-types.ts';
import { isGeneral, parseGeneral } from './general.ts';

const RRSIG: StoredType = 'TYPE46';
/** Offset of the original TTL in the rdata. */
const ORIGINAL_TTL = 4;

/**
 * The TTL of an RRSIG is that of the records it covers, which its rdata holds; so those at one name differ (RFC 4034 sections 3
 * and 3.1.4). Undefined for every other type.
 */
export function ttlInRdata(type: StoredType, rdata: string): number | undefined {
  if (type !== RRSIG || !isGeneral(rdata)) return undefined;
  const octets = parseGeneral(rdata);
  return octets.length < ORIGINAL_TTL + 4 ? undefined : octets.readUInt32BE(ORIGINAL_TTL);
}
