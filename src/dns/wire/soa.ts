import { FormError } from '../encoding/reader.ts';
import { soaFields } from '../rdata/hosts.ts';

const FIELDS = 7;

/** The serial in canonical SOA rdata. @throws FormError if the rdata is not a well-formed SOA */
export function soaSerial(rdata: string): number {
  if (rdata.startsWith('\\#') || rdata.split(' ').length !== FIELDS) {
    throw new FormError('The rdata is not an SOA.');
  }
  return soaFields(rdata).serial;
}
