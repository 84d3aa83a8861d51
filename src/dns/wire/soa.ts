import { soaFields } from '../rdata/hosts.ts';
import { FormError } from './reader.ts';

/** The serial in the canonical rdata of an SOA. @throws FormError if it is no SOA, like `\# 0` */
export function soaSerial(rdata: string): number {
  const { serial } = soaFields(rdata);
  if (rdata.startsWith('\\#') || !Number.isInteger(serial)) throw new FormError('The rdata is not an SOA.');
  return serial;
}
