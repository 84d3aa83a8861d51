import type { OwnerName } from '../../dns/names.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { type IntendedRecordset, type Intent, recordsOf, spelledRecords } from '../changes/intents.ts';

/** The types of records with an address. */
export const ADDRESS_TYPES = ['A', 'AAAA'] as const;
export type AddressType = (typeof ADDRESS_TYPES)[number];

/** Addresses in canonical form, at most one of each type. Recordsets of the other type are left alone. */
export type HostAddresses = Readonly<Partial<Record<AddressType, string>>>;

/** TTL of new recordsets, in seconds. */
const TTL = 60;

/** The recordset with this address alone. One that already has no other stays as it is. */
function withAddress(type: AddressType, address: string, before: Recordset | undefined): IntendedRecordset {
  const records = spelledRecords(type, new Map([[address, address]]));
  if (before === undefined) return { ...records, ttl: TTL, description: null };
  const { ttl, description } = before;
  const isThere = before.records.length === 1 && before.records[0] === address;
  return { ...(isThere ? recordsOf(before) : records), ttl, description };
}

/** What is wanted of the recordsets of each host. */
export function addressIntents(hosts: readonly OwnerName[], addresses: HostAddresses): readonly Intent[] {
  return hosts.flatMap((name) =>
    ADDRESS_TYPES.flatMap((type): Intent[] => {
      const address = addresses[type];
      if (address === undefined) return [];
      const resolve = (before: Recordset | undefined) =>
        ({ kind: 'resolved', after: withAddress(type, address, before), givesRecords: true }) as const;
      return [{ name, type, positions: [], mayCreate: true, resolve }];
    }),
  );
}
