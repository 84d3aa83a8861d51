/** Turns the steps of an UPDATE into what is wanted of each recordset. */
import { canonicalName, type OwnerName } from '../../dns/names.ts';
import { parseOwnerName } from '../../dns/owner-name.ts';
import { parseRecordType } from '../../dns/record-types.ts';
import type { UpdateSections, UpdateStep } from '../../dns/wire/update.ts';
import type { PlanningReads } from '../../model/changes/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { type ChangeFault, ChangeFaults, pathOf, refusalOfSet } from '../changes/faults.ts';
import { type Intent, spelledRecords } from '../changes/intents.ts';
import type { WantedChanges } from '../changes/wanted-changes.ts';
import { faultsOfWhole, recordsInTurns } from '../recordsets/records.ts';
import { failedPrerequisite } from './prerequisites.ts';
import { type Addition, type UpdatedSet, WorkingZone } from './working-zone.ts';

function isAddition(step: UpdateStep): step is Addition {
  return step.kind === 'add';
}

function faultAt(position: number, part: readonly (string | number)[], message: string): ChangeFault {
  return { kind: 'invalid_object', message, path: pathOf(position, ...part) };
}

/** Why the API would not take the record of a step. */
async function faultsOf(
  step: Addition,
  position: number,
  turns: TimeSlices,
): Promise<readonly ChangeFault[]> {
  const name = parseOwnerName(step.name);
  if (!name.ok) return [faultAt(position, ['name'], name.reason)];
  const type = parseRecordType(step.type);
  if (!type.ok) return [faultAt(position, ['type'], type.reason)];
  const { faults } = await recordsInTurns({ name: name.value, type: type.value }, [step.rdata], turns);
  return faults.map(({ path, message }) => faultAt(position, path, message));
}

/** The recordset as wanted. Records that stay keep their spelling, and its records their order. */
function intentOf({ name, type, before, after, positions }: UpdatedSet, zone: Zone): Intent {
  const spell = (text: string) => [text, before?.spellings[text] ?? text] as const;
  const common = { name, type, positions, mayCreate: after !== undefined };
  if (after === undefined) return { ...common, resolve: () => ({ kind: 'resolved', after: undefined }) };
  const staying = before?.records.filter((one) => after.records.has(one)) ?? [];
  const givesRecords = after.records.size > staying.length;
  const records = spelledRecords(type, new Map([...staying, ...after.records].map(spell)));
  const ttl = before !== undefined && after.ttl === (before.ttl ?? zone.ttl) ? before.ttl : after.ttl;
  const description = before?.description ?? null;
  const faults = faultsOfWhole(type, records).map(({ path, message }) =>
    faultAt(positions.at(-1)!, path, message),
  );
  return {
    ...common,
    resolve: () =>
      faults.length > 0
        ? { kind: 'refused', effect: before === undefined ? 'create' : 'update', wanted: null, faults }
        : { kind: 'resolved', after: { ...records, ttl, description }, givesRecords },
  };
}

export interface UpdateChecks {
  /** Checks, before anything is tested, what only the stored zone shows. Throws what refuses the update. */
  beforeTests(working: WorkingZone): void;
  /** Checks what the steps change. Throws what refuses the update. */
  afterSteps(sets: readonly UpdatedSet[]): void;
  /** Called with the RCODE of a prerequisite that does not hold; undefined if all do. */
  tested(rcode: number | undefined): void;
}

function namesIn({ prerequisites, steps }: UpdateSections): readonly OwnerName[] {
  const names = new Set([...prerequisites, ...steps].map(({ name }) => name));
  // A zone has no other names.
  return [...names].filter((name) => parseOwnerName(name).ok).map((name) => canonicalName(name));
}

/**
 * Reads what an UPDATE wants. Nothing of it is decided before the zone is locked.
 * @param renews whether what a message writes lasts longer, even if it is stored already
 */
export async function wantedUpdates(
  sections: UpdateSections,
  { projectId, renews }: { readonly projectId: string; readonly renews: boolean },
  checks: UpdateChecks,
): Promise<WantedChanges> {
  const { prerequisites, steps } = sections;
  const turns = new TimeSlices(projectId);
  const faults = new ChangeFaults();
  let bytes = 0;
  for (const [position, step] of steps.entries()) {
    if (!isAddition(step)) continue;
    bytes += step.name.length + step.rdata.length;
    for (const fault of await faultsOf(step, position, turns)) faults.add(fault);
    if (turns.isOver) await turns.next();
  }
  const names = namesIn(sections);
  const mayBeNew = new Set(steps.filter(isAddition).map(({ name }) => canonicalName<OwnerName>(name)));

  async function intentsIn(reads: PlanningReads, zone: Zone) {
    const working = new WorkingZone(zone, await reads.atNames(zone.id, names));
    checks.beforeTests(working);
    const rcode = failedPrerequisite(prerequisites, working);
    checks.tested(rcode);
    if (rcode !== undefined) return { intents: [], unchanged: 0 };
    if (faults.count > 0) throw refusalOfSet(faults, 'updates');
    for (const [position, step] of steps.entries()) working.apply(step, position);
    const touched = [...working.touched()];
    const changed = touched.filter((one) => working.hasChanged(one));
    checks.afterSteps(changed);
    const sets = renews
      ? touched.filter(({ before, after }) => before !== undefined || after !== undefined)
      : changed;
    return { intents: sets.map((one) => intentOf(one, zone)), unchanged: 0 };
  }

  return {
    bytes,
    recordsets: steps.length,
    rows: 0,
    *names() {
      for (const name of names) if (mayBeNew.has(name)) yield name;
    },
    intentsIn,
  };
}
