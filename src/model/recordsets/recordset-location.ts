/**
 * Where a recordset is allowed. Each rule is a pure function that returns a fault or undefined. Rules never query the
 * database; they receive the surroundings.
 */
import type { Recordset } from './recordset.ts';

export type LocatedRecordset = Pick<Recordset, 'name' | 'type' | 'records'>;

/** The surroundings of a name in its zone. */
export interface Surroundings {
  readonly zoneName: string;
  /** All recordsets at the name and at the names above it, from the apex down. */
  readonly atOrAbove: readonly LocatedRecordset[];
  /** A recordset below the name that a delegation or a DNAME would hide, if any. */
  readonly hiddenBelow?: LocatedRecordset | undefined;
  /** True if a delegation elsewhere in the zone names it as a name server; see `mayBeSiblingGlue`. */
  readonly isNamedElsewhere?: boolean | undefined;
  /** The separate zone below this one, at or above the name, if any. */
  readonly childZone?: string | undefined;
}

type LocationRule = (placed: LocatedRecordset, around: Surroundings) => string | undefined;

/** RFC 9615, section 2. */
const SIGNALLING_NAME = /^_dsboot\..+\._signal\./;

/** Types that are pronounced with a vowel first. */
const AN = /^(?:A|AAAA|AFSDB|HINFO|HTTPS|MX|NS|OPENPGPKEY|RP|S(?:MIMEA|OA|PF|RV|SHFP|VCB))$/;

/** The type with its article: "an A record". */
function recordOf(type: string): string {
  return `${AN.test(type) ? 'an' : 'a'} ${type} record`;
}

function isBelow(name: string, above: string): boolean {
  return name.endsWith(`.${above}`);
}

export function isAddress({ type }: Pick<LocatedRecordset, 'type'>): boolean {
  return type === 'A' || type === 'AAAA';
}

/** The delegation at or above a name. */
function cutAbove({
  atOrAbove,
  zoneName,
}: Pick<Surroundings, 'atOrAbove' | 'zoneName'>): LocatedRecordset | undefined {
  return atOrAbove.find(({ name, type }) => type === 'NS' && name !== zoneName);
}

/** Whether it is the address of a name server in a delegation of the zone (RFC 1034, section 4.2.1; RFC 9471). */
function isGlue(
  placed: LocatedRecordset,
  cut: LocatedRecordset,
  { isNamedElsewhere = false }: Surroundings,
): boolean {
  return isAddress(placed) && (isNamedElsewhere || cut.records.includes(placed.name));
}

/**
 * Whether it is an address below a delegation that does not name it. Another delegation may: sibling glue (RFC 9471).
 */
export function mayBeSiblingGlue(
  placed: LocatedRecordset,
  around: Pick<Surroundings, 'atOrAbove' | 'zoneName'>,
): boolean {
  const cut = cutAbove(around);
  return cut !== undefined && isAddress(placed) && !cut.records.includes(placed.name);
}

const insideZone: LocationRule = ({ name }, { zoneName }) =>
  name === zoneName || isBelow(name, zoneName)
    ? undefined
    : `The name is outside the zone: it must be "${zoneName}" or end with ".${zoneName}".`;

/** RFC 1034, section 3.6.2; RFC 4035, section 2.4. */
const notAtApex: LocationRule = ({ name, type }, { zoneName }) =>
  name === zoneName && (type === 'CNAME' || type === 'DS')
    ? `A ${type} is not allowed at the apex of a zone, next to its SOA and NS.`
    : undefined;

/**
 * Records about a zone for its parent belong at the apex (RFC 7344, section 4.1; RFC 7477, section 2.1). A name server
 * may also have a CDS or CDNSKEY for another zone, at its signalling name (RFC 9615, section 4).
 */
const onlyAtApex: LocationRule = ({ name, type }, { zoneName }) => {
  const isForParent = type === 'CDS' || type === 'CDNSKEY' || type === 'CSYNC';
  if (!isForParent || name === zoneName) return undefined;
  if (type !== 'CSYNC' && SIGNALLING_NAME.test(name)) return undefined;
  return `A ${type} applies to the whole zone. Create it at the apex, "${zoneName}".`;
};

/** Why a wildcard cannot have a recordset of this type in any zone (RFC 4592, section 4), or undefined. */
export function wildcardFault({ name, type }: Pick<LocatedRecordset, 'name' | 'type'>): string | undefined {
  return name.startsWith('*.') && (type === 'NS' || type === 'DNAME' || type === 'DS')
    ? `A ${type} is not allowed at a wildcard: its meaning is not defined.`
    : undefined;
}

function others(placed: LocatedRecordset, around: Surroundings): readonly LocatedRecordset[] {
  return around.atOrAbove.filter(({ name, type }) => name === placed.name && type !== placed.type);
}

/** RFC 1034, section 3.6.2; RFC 2181, section 10.1. */
const cnameAlone: LocationRule = (placed, around) => {
  const beside = others(placed, around);
  // Always the same one: stores find recordsets in any order.
  const [first] = beside.map(({ type }) => type).sort();
  if (placed.type === 'CNAME' && first !== undefined) {
    return `A CNAME must be the only recordset at its name, and this name already has ${recordOf(first)}.`;
  }
  return beside.some(({ type }) => type === 'CNAME')
    ? 'This name has a CNAME, which must be the only recordset at its name. Delete it first.'
    : undefined;
};

/** RFC 6672, section 2.4. */
const dnameNotDelegated: LocationRule = (placed, around) => {
  const clash = placed.type === 'DNAME' ? 'NS' : placed.type === 'NS' ? 'DNAME' : undefined;
  const found = placed.name !== around.zoneName && others(placed, around).some(({ type }) => type === clash);
  return found && clash !== undefined
    ? `A name cannot have both a DNAME and a delegation, and this name already has ${recordOf(clash)}.`
    : undefined;
};

/** RFC 6672, section 2.4: no names exist below a DNAME. */
const notBelowDname: LocationRule = (placed, around) => {
  const dname = around.atOrAbove.find(({ name, type }) => type === 'DNAME' && name !== placed.name);
  return dname && `The DNAME at "${dname.name}" redirects every name below it.`;
};

/** RFC 1034, section 4.2.1: below a cut only glue is allowed; at the cut also NS and DS. */
const notBelowDelegation: LocationRule = (placed, around) => {
  const cut = cutAbove(around);
  if (cut === undefined || isGlue(placed, cut, around)) return undefined;
  if (placed.name === cut.name && (placed.type === 'NS' || placed.type === 'DS')) return undefined;
  return `"${cut.name}" is delegated to other name servers: only their addresses, and those of the name servers of other delegations, are allowed here.`;
};

const notInChildZone: LocationRule = (placed, around) => {
  const { childZone, atOrAbove } = around;
  if (childZone === undefined) return undefined;
  if (placed.name === childZone && (placed.type === 'NS' || placed.type === 'DS')) return undefined;
  const cut = atOrAbove.find(({ name, type }) => type === 'NS' && name === childZone);
  if (cut !== undefined && isGlue(placed, cut, around)) return undefined;
  return `The name belongs to the zone "${childZone}". Create the recordset there.`;
};

const hidesNothing: LocationRule = (placed, { hiddenBelow }) =>
  hiddenBelow &&
  `The ${placed.type} would hide the ${hiddenBelow.type} at "${hiddenBelow.name}". Delete that first.`;

const RULES: readonly LocationRule[] = [
  insideZone,
  notAtApex,
  onlyAtApex,
  wildcardFault,
  cnameAlone,
  dnameNotDelegated,
  notBelowDname,
  notInChildZone,
  notBelowDelegation,
  hidesNothing,
];

/** Why the recordset is not allowed at its name, or undefined. */
export function locationFault(placed: LocatedRecordset, around: Surroundings): string | undefined {
  for (const rule of RULES) {
    const fault = rule(placed, around);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
