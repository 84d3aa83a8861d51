/** The message header (RFC 1035 section 4.1.1; AD and CD: RFC 4035). */

/** In octets, including the four counts. */
export const HEADER_LENGTH = 12;

export interface Header {
  readonly id: number;
  readonly qr: boolean;
  readonly opcode: number;
  readonly aa: boolean;
  readonly tc: boolean;
  readonly rd: boolean;
  readonly ra: boolean;
  readonly ad: boolean;
  readonly cd: boolean;
  /** The low four bits after decoding. With EDNS, all twelve bits may be given for encoding. */
  readonly rcode: number;
}

/** Records per section; for the question section, the number of questions. */
export interface SectionCounts {
  readonly questions: number;
  readonly answers: number;
  readonly authority: number;
  readonly additional: number;
}

/** The header of a message, or undefined if it has fewer than 12 octets and so cannot be answered. */
export function decodeHeader(message: Buffer): Header | undefined {
  if (message.length < HEADER_LENGTH) return undefined;
  const bits = message.readUInt16BE(2);
  const has = (shift: number): boolean => ((bits >> shift) & 1) === 1;
  return {
    id: message.readUInt16BE(0),
    qr: has(15),
    opcode: (bits >> 11) & 0xf,
    aa: has(10),
    tc: has(9),
    rd: has(8),
    ra: has(7),
    ad: has(5),
    cd: has(4),
    rcode: bits & 0xf,
  };
}

/** The second 16 bits of the header: flags, opcode and RCODE. */
export function headerBits(header: Header): number {
  const flags = [header.qr, false, false, false, false, header.aa, header.tc, header.rd, header.ra, false];
  flags.push(header.ad, header.cd);
  const high = flags.reduce((bits, flag, index) => (flag ? bits | (1 << (15 - index)) : bits), 0);
  return high | ((header.opcode & 0xf) << 11) | (header.rcode & 0xf);
}

/** The counts of a message of at least 12 octets. */
export function decodeCounts(message: Buffer): SectionCounts {
  return {
    questions: message.readUInt16BE(4),
    answers: message.readUInt16BE(6),
    authority: message.readUInt16BE(8),
    additional: message.readUInt16BE(10),
  };
}
