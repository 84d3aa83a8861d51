/** Types whose rdata contains domain names, with or without numbers. */
import type { RdataFields } from './fields.ts';
import { RdataError } from './rdata-error.ts';

/** CNAME, NS, PTR: RFC 1035 sections 3.3.1, 3.3.11, 3.3.12. DNAME: RFC 6672. */
export function readTarget(fields: RdataFields): void {
  fields.readName('domain name');
}

/**
 * MX: RFC 1035 section 3.3.9. With the server `.` it is a null MX, which may have any preference (RFC 7505 section 3).
 */
export function readMx(fields: RdataFields): void {
  if (!/^[0-9]/.test(fields.peek()?.text ?? '0')) {
    throw new RdataError('MX needs a preference first, such as "10 mail.example.org.".');
  }
  fields.readNumber('preference', 2);
  fields.readName('mail server');
}

/** SRV: RFC 2782. The target `.` means that the service is not offered. */
export function readSrv(fields: RdataFields): void {
  fields.readNumber('priority', 2);
  fields.readNumber('weight', 2);
  fields.readNumber('port', 2);
  fields.readName('target');
}

/** RP: RFC 1183 section 2.2. */
export function readRp(fields: RdataFields): void {
  fields.readName('mailbox');
  fields.readName('name of the TXT records');
}

/** AFSDB: RFC 1183 section 1. */
export function readAfsdb(fields: RdataFields): void {
  fields.readNumber('subtype', 2);
  fields.readName('server');
}

const ESCAPED = /\\[\s\S]/g;

const requireNoAt = (word: string | undefined): void => {
  if (word === undefined || word === '@' || !word.replace(ESCAPED, '').includes('@')) return;
  throw new RdataError(
    'The mailbox of the SOA contains an @. Write a dot instead of it, such as hostmaster.example.com.',
  );
};

/**
 * SOA: RFC 1035 section 3.3.13, RFC 2308 section 4. The timers may be written with units, like 1h. They have 32 bits:
 * the limit of RFC 2181 section 8 is for TTLs.
 */
export function readSoa(fields: RdataFields): void {
  fields.readName('primary name server');
  requireNoAt(fields.peek()?.text);
  fields.readName('mailbox');
  fields.readNumber('serial', 4);
  for (const timer of ['refresh', 'retry', 'expire', 'minimum']) fields.readSeconds(`${timer} timer`);
}

export interface SoaFields {
  readonly mname: string;
  readonly rname: string;
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
}

/** The fields of a canonical SOA rdata, where spaces in names are escaped as \032. */
export function soaFields(rdata: string): SoaFields {
  const [mname = '', rname = '', ...numbers] = rdata.split(' ');
  const [serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0] = numbers.map(Number);
  return { mname, rname, serial, refresh, retry, expire, minimum };
}
