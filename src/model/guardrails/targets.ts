/** The names that recordsets point at. */
import { canonicalName, type OwnerName } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';

export const POINTING_TYPES = ['CNAME', 'HTTPS', 'MX', 'NS', 'SRV', 'SVCB'] as const;
export type PointingType = (typeof POINTING_TYPES)[number];

/** The field of canonical rdata that has the target. Spaces in names are escaped. */
const FIELD: Readonly<Record<PointingType, number>> = { CNAME: 0, HTTPS: 1, MX: 1, NS: 0, SRV: 3, SVCB: 1 };

interface PointingRdata {
  readonly name: OwnerName;
  readonly type: StoredType;
  /** Canonical rdata. */
  readonly records: readonly string[];
}

export function isPointingType(type: StoredType): type is PointingType {
  return Object.hasOwn(FIELD, type);
}

/**
 * The target of one record; undefined if it has none. `.` means "no service" (RFC 2782, RFC 7505; RFC 9460, section
 * 2.5.1), except in the service form of SVCB and HTTPS, where it means the owner name (section 2.5.2).
 */
function targetOf({ name, type }: PointingRdata, rdata: string): OwnerName | undefined {
  if (!isPointingType(type)) return undefined;
  const fields = rdata.split(' ');
  const target = fields[FIELD[type]] ?? '.';
  if (target !== '.') return canonicalName(target);
  const isService = (type === 'SVCB' || type === 'HTTPS') && fields[0] !== '0';
  return isService && !name.startsWith('*.') ? name : undefined;
}

/** The names that a recordset points at, without repetitions. */
export function targetsOf(recordset: PointingRdata): readonly OwnerName[] {
  if (!isPointingType(recordset.type)) return [];
  const targets = recordset.records.map((rdata) => targetOf(recordset, rdata));
  return [...new Set(targets.filter((target) => target !== undefined))];
}
