/** Classes, opcodes and response codes of the IANA registry "Domain Name System (DNS) Parameters". */

export const CLASS = { IN: 1, NONE: 254, ANY: 255 } as const;

/** RFC 1035 section 4.1.1, RFC 1996, RFC 2136. */
export const OPCODE = { QUERY: 0, IQUERY: 1, STATUS: 2, NOTIFY: 4, UPDATE: 5 } as const;

/** RFC 6895 section 2.3. Codes above 15 need EDNS or a TSIG. */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
  BADVERS: 16,
  BADSIG: 16,
  BADKEY: 17,
  BADTIME: 18,
  BADTRUNC: 22,
} as const;
