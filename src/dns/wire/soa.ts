import { FormError } from '../encoding/reader.ts';
import { soaFields } from '../rdata/hosts.ts';

const FIELDS = 7;

/** The serial in the canonical rdata of an SOA. @throws FormError if it is none, as one that is not well formed */
export function soaSerial(rdata: string): number {
  if (rdata.startsWith('\\#') || rdata.split(' ').length !== FIELDS) {
    throw new FormError('The rdata is not that of an SOA.');
  }
  return soaFields(rdata).serial;
}
