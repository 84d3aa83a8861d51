import { isRecordType, NUMBERED_TYPES, type StoredType } from '../../dns/record-types.ts';

/** The record types that projects may use. */
export type SupportedTypes = ReadonlySet<StoredType | typeof NUMBERED_TYPES>;

/** Why projects cannot use the type; undefined if they can. */
export function typeFault(type: StoredType, supported: SupportedTypes): string | undefined {
  const isSupported = supported.has(type) || (!isRecordType(type) && supported.has(NUMBERED_TYPES));
  return isSupported ? undefined : `The type must be one of: ${[...supported].join(', ')}.`;
}
