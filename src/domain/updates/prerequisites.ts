/** Prerequisites of an UPDATE: RFC 2136 section 3.2. */
import { RCODE } from '../../dns/wire/codes.ts';
import type { Prerequisite } from '../../dns/wire/update.ts';
import { groupBy } from '../../runtime/group-by.ts';
import type { WorkingZone } from './working-zone.ts';

type RecordExists = Prerequisite & { readonly kind: 'record exists' };

function isOfRecord(one: Prerequisite): one is RecordExists {
  return one.kind === 'record exists';
}

/** The RCODE of a prerequisite that does not hold by itself. */
function failureOf(one: Exclude<Prerequisite, RecordExists>, zone: WorkingZone): number | undefined {
  switch (one.kind) {
    case 'name in use':
      return zone.isInUse(one.name) ? undefined : RCODE.NXDOMAIN;
    case 'name not in use':
      return zone.isInUse(one.name) ? RCODE.YXDOMAIN : undefined;
    case 'set exists':
      return zone.recordsOf(one.name, one.type) === undefined ? RCODE.NXRRSET : undefined;
    default:
      return zone.recordsOf(one.name, one.type) === undefined ? undefined : RCODE.YXRRSET;
  }
}

function isWholeSet(wanted: readonly RecordExists[], zone: WorkingZone): boolean {
  const [{ name, type }] = wanted as readonly [RecordExists];
  const present = zone.recordsOf(name, type);
  const rdata = new Set(wanted.map((one) => one.rdata));
  return present?.size === rdata.size && [...rdata].every((one) => present.has(one));
}

/** The RCODE of the first prerequisite that does not hold; undefined if all do. */
export function failedPrerequisite(
  prerequisites: readonly Prerequisite[],
  zone: WorkingZone,
): number | undefined {
  for (const one of prerequisites) {
    const rcode = isOfRecord(one) ? undefined : failureOf(one, zone);
    if (rcode !== undefined) return rcode;
  }
  const sets = groupBy(prerequisites.filter(isOfRecord), ({ name, type }) => `${name} ${type}`);
  for (const wanted of sets.values()) if (!isWholeSet(wanted, zone)) return RCODE.NXRRSET;
  return undefined;
}
