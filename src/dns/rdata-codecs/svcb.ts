import { decodeName } from '../encoding/names.ts';
import { RdataError } from '../rdata/rdata-error.ts';
import { formatParameter } from '../rdata/svcb.ts';
import type { RdataDecoder } from './decoder.ts';

/** SVCB and HTTPS (RFC 9460 section 2.2). Keys ascend, and the target is not compressed. */
export const decodeSvcb: RdataDecoder = (reader) => {
  const fields = [String(reader.u16()), decodeName(reader, false)];
  let previous = -1;
  while (reader.remaining > 0) {
    const key = reader.u16();
    const value = reader.bytes(reader.u16());
    if (key <= previous || key === 0xffff) throw new RdataError('The keys are not in ascending order.');
    fields.push(formatParameter(key, [...value]));
    previous = key;
  }
  return fields.join(' ');
};
