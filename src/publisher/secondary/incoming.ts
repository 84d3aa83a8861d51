/** Converts and checks the records that a master sends. */

import { soaFields } from '../../dns/rdata/hosts.ts';
import { TYPE, typeName } from '../../dns/record-types.ts';
import { CLASS } from '../../dns/wire/codes.ts';
import type { WireRecord } from '../../dns/wire/message.ts';
import { soaSerial } from '../../dns/wire/soa.ts';
import type { IncomingRecord, IncomingSoa } from '../../model/secondaries/secondary.ts';
import { BrokenTransfer } from './broken-transfer.ts';

/** RFC 6895 section 3.1: types for queries and messages, which no zone contains. */
const FIRST_META = 128;
const LAST_META = 255;

/** A name can have a thousand characters, too many for an error message. */
const MAX_SHOWN = 100;

const shownName = (name: string): string => (name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name);
const shown = ({ name, type }: WireRecord): string => `${shownName(name)} ${typeName(type)}`;

/** @throws FormError if the rdata is malformed */
export function incomingSoa({ ttl, rdata }: Pick<WireRecord, 'ttl' | 'rdata'>): IncomingSoa {
  const serial = soaSerial(rdata);
  const { refresh, retry, expire } = soaFields(rdata);
  return { serial, ttl, refresh, retry, expire, rdata };
}

/** True if a name in canonical text is the apex or below it. An escaped dot does not end a label. */
function isInside(name: string, apex: string): boolean {
  if (name === apex) return true;
  if (!name.endsWith(`.${apex}`)) return false;
  let at = name.length - apex.length - 2;
  let escapes = 0;
  for (; name[at] === '\\'; at -= 1) escapes += 1;
  return escapes % 2 === 0;
}

/** @throws BrokenTransfer if the record cannot belong to the zone */
export function requireFits(record: WireRecord, apex: string): void {
  if (record.class !== CLASS.IN) {
    throw new BrokenTransfer(
      `The server sends ${shown(record)} in class ${record.class}: only class IN is accepted.`,
    );
  }
  if (!isInside(record.name, apex)) {
    throw new BrokenTransfer(
      `The server sends ${shown(record)}, which is outside the zone: remove it there.`,
    );
  }
  const isMeta = record.type === 0 || (record.type >= FIRST_META && record.type <= LAST_META);
  if (isMeta)
    throw new BrokenTransfer(`The server sends ${shown(record)}, a type that zones cannot contain.`);
}

/** True if the record is the SOA of the zone. @throws BrokenTransfer if it is the SOA of another name */
export function isSoaOf(record: WireRecord, apex: string): boolean {
  if (record.type !== TYPE.SOA) return false;
  if (record.name === apex) return true;
  throw new BrokenTransfer(
    `The server sends an SOA of ${shownName(record.name)} inside the zone: make that a separate zone there.`,
  );
}

export function incomingRecord({ name, type, ttl, rdata }: WireRecord): IncomingRecord {
  return { name, type, ttl, rdata };
}
