import type { Protection } from '../model/protection/protection.ts';

/** The columns of a protection, in the rows of zones and recordsets. */
interface ProtectionColumns {
  readonly protected: number;
  readonly protection_reason: string | null;
}

export function protectionFromRow(row: ProtectionColumns): Protection | null {
  return row.protected === 1 ? { reason: row.protection_reason } : null;
}

export function protectionColumns(protection: Protection | null): ProtectionColumns {
  return { protected: protection === null ? 0 : 1, protection_reason: protection?.reason ?? null };
}
