/** Checks the names of records that a set creates against the blacklists, before its transaction. */
import type { OwnerName } from '../../dns/names.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Store } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { eachInTurns, TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { AccessControl } from '../access/access-control.ts';
import { bothAdmitted } from '../blacklists/many-names.ts';
import {
  type Admission,
  admissionCheck,
  type NameAdmission,
  OWNER_NAMES,
} from '../blacklists/name-admission.ts';
import { createAdmitted } from '../blacklists/unchanged-blacklists.ts';
import type { OwnerNameCheck } from '../recordsets/recordset-creation.ts';
import { StaleRevision } from '../unit-of-work/unit-of-work.ts';
import type { WantedChanges } from './wanted-changes.ts';

const REFUSALS = ['blacklisted_recordset', 'unchecked_recordset'];

/** The outcome for each name, all at one revision of the blacklists. */
export interface CheckedNames {
  readonly admitted: ReadonlyMap<OwnerName, Admission>;
  readonly refused: ReadonlyMap<OwnerName, DomainError>;
  /** What all admitted names have in common; undefined if there are none. */
  readonly all: Admission | undefined;
}

const NO_NAMES: CheckedNames = { admitted: new Map(), refused: new Map(), all: undefined };

/** Combines admissions; undefined if there are none. @throws StaleRevision if they are for different revisions */
async function combined(admissions: Iterable<Admission>, turns: TimeSlices): Promise<Admission | undefined> {
  let all: Admission | undefined;
  const add = (one: Admission): void => {
    all = all === undefined ? one : bothAdmitted(all, one);
  };
  await eachInTurns(admissions, add, turns);
  return all;
}

async function verdict(work: () => Promise<Admission>): Promise<Admission | DomainError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && REFUSALS.includes(error.kind)) return error;
    throw error;
  }
}

async function checkNames(
  context: RequestContext,
  names: Iterable<OwnerName>,
  admit: NameAdmission,
  isInUse: (name: OwnerName) => Promise<boolean>,
): Promise<CheckedNames> {
  const admitted = new Map<OwnerName, Admission>();
  const refused = new Map<OwnerName, DomainError>();
  const turns = new TimeSlices(context.projectId);
  for (const name of names) {
    const found = await verdict(() => admit(context, name, () => isInUse(name)));
    if (found instanceof DomainError) refused.set(name, found);
    else admitted.set(name, found);
    if (turns.isOver) await turns.next();
  }
  return { admitted, refused, all: await combined(admitted.values(), turns) };
}

/**
 * The admission of all names that a set creates; undefined if it creates none.
 * @throws StaleRevision if one was in use when it was checked, but is no longer
 */
export function admissionFor(
  names: CheckedNames,
  created: Iterable<OwnerName>,
  turns: TimeSlices,
): Promise<Admission | undefined> {
  function* admissions(): Generator<Admission, void> {
    for (const name of created) {
      const admission = names.admitted.get(name);
      if (admission?.isInUse) throw new StaleRevision();
      if (admission !== undefined) yield admission;
    }
  }
  return combined(admissions(), turns);
}

export interface NameDeps {
  readonly store: Pick<Store, 'recordsets'>;
  readonly access: AccessControl;
  /** Set if the blacklists also apply to the names of records. */
  readonly ownerNames: OwnerNameCheck | undefined;
}

interface WantedNames {
  readonly zone: Zone;
  readonly wanted: WantedChanges;
  /** True to mark and count nothing. */
  readonly isDryRun: boolean;
}

/** Each name once, except the apex. */
function* namesIn(wanted: WantedChanges, zone: Zone): Generator<OwnerName, void> {
  const known = new Set<OwnerName>([zone.name]);
  for (const name of wanted.names()) {
    if (known.has(name)) continue;
    known.add(name);
    yield name;
  }
}

/** Returns a function that checks the names of records, then works; again if the blacklists change meanwhile. */
export function nameChecks({ store, access, ownerNames }: NameDeps) {
  return <T>(
    context: RequestContext,
    { zone, wanted, isDryRun }: WantedNames,
    work: (names: CheckedNames) => Promise<T>,
  ): Promise<T> => {
    if (ownerNames === undefined) return work(NO_NAMES);
    const { checker, admitName } = ownerNames;
    const admit = isDryRun ? admissionCheck({ checker, access }, OWNER_NAMES) : admitName;
    const isInUse = (name: OwnerName) => store.recordsets.isInUse(zone.id, name);
    return createAdmitted(checker, () => checkNames(context, namesIn(wanted, zone), admit, isInUse), work);
  };
}

export type NameChecks = ReturnType<typeof nameChecks>;
