import { formatIpv4, formatIpv6 } from '../rdata/addresses.ts';
import type { RdataDecoder } from './decoder.ts';

/** RFC 1035 section 3.4.1. */
export const decodeA: RdataDecoder = (reader) => formatIpv4([...reader.bytes(4)]);

/** RFC 3596. */
export const decodeAaaa: RdataDecoder = (reader) => formatIpv6([...reader.bytes(16)]);
