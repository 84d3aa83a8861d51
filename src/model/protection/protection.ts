import type { EventFields } from '../events/stored-event.ts';

/** The protection of a zone or a recordset. Without one, it is null. */
export interface Protection {
  readonly reason: string | null;
}

/** The protection that a request asks for. Omitted values stay as they are. */
export interface ProtectionRequest {
  readonly isProtected?: boolean | undefined;
  readonly reason?: string | null | undefined;
}

/**
 * The fields of a protection in an event.
 * @param other the protection on the other side of the change; without either, there are no fields
 */
export function protectionFields(protection: Protection | null, other: Protection | null): EventFields {
  if (protection === null && other === null) return {};
  return { protected: protection !== null, protection_reason: protection?.reason ?? null };
}
