/** Checks where recordsets are allowed, in the zone as a set leaves it. */
import type { OwnerName } from '../../dns/names.ts';
import type { PlanningReads, StoredPlace } from '../../model/changes/store.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import {
  isAddress,
  type LocatedRecordset,
  locationFault,
  mayBeSiblingGlue,
  type Surroundings,
} from '../../model/recordsets/recordset-location.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { eachInTurns, type TimeSlices } from '../../runtime/cooperative-yield.ts';
import { addToGroup } from '../../runtime/group-by.ts';
import type { Misplacement } from '../recordsets/own-recordset.ts';
import { FEW, namesAround, type StoredNames } from './stored-names.ts';
import type { PlannedEffect } from './targets.ts';

const ROWS_OF_A_PAGE = 500;

/** True if the set may put the recordset where it is not allowed. No more is checked than by single writes. */
function isPlaced({ effect, type, faults }: PlannedEffect): boolean {
  return faults.length === 0 && (effect === 'create' || (effect === 'update' && type === 'NS'));
}

function hides({ type, name }: LocatedRecordset, zone: Zone): boolean {
  return type === 'DNAME' || (type === 'NS' && name !== zone.name);
}

function located({ name, type }: StoredPlace): LocatedRecordset {
  return { name, type, records: [] };
}

/** What a set changes in the layout of a zone. */
class ChangedLayout {
  /** The ids of stored recordsets that change or go. */
  readonly #changed = new Set<string>();
  readonly #after = new Map<string, LocatedRecordset[]>();
  /** The ids of stored recordsets that go, and of delegations that change. */
  readonly gone = new Set<string>();
  /** The name servers of the delegations that the set makes or changes. */
  readonly hosts = new Set<string>();

  add({ effect, type, before, after }: PlannedEffect): void {
    if (type === 'NS') for (const host of after?.records ?? []) this.hosts.add(host);
    if (effect === 'unchanged') return;
    if (before !== undefined) this.#takeAway(before, effect === 'delete' || type === 'NS');
    if (after !== undefined) addToGroup<string, LocatedRecordset>(this.#after, after.name, after);
  }

  #takeAway({ id }: Recordset, isGone: boolean): void {
    this.#changed.add(id);
    if (isGone) this.gone.add(id);
  }

  /** Whether a delegation or a DNAME would hide a stored recordset that is at its name or below it. */
  mayHide(placed: Recordset, { id, name, type }: StoredPlace): boolean {
    if (this.gone.has(id)) return false;
    const isCut = placed.type === 'NS';
    // At the name itself, the rules look at what is beside it.
    if (name === placed.name && (!isCut || type === 'NS' || type === 'DS')) return false;
    return !(isCut && isAddress({ type }) && this.hosts.has(name));
  }

  /** The recordsets at a name as the set leaves them. */
  at(name: string, stored: readonly Recordset[]): readonly LocatedRecordset[] {
    return [...stored.filter(({ id }) => !this.#changed.has(id)), ...(this.#after.get(name) ?? [])];
  }
}

/** A recordset that a set puts into the zone. */
interface PlacedTarget {
  readonly target: PlannedEffect;
  readonly around: Surroundings;
  /** Addresses that it hides, unless a delegation names them. */
  readonly addresses: readonly LocatedRecordset[];
}

interface LocatedSet {
  readonly reads: PlanningReads;
  readonly zone: Zone;
  readonly stored: StoredNames;
  readonly turns: TimeSlices;
}

/** Finds what is placed where it is not allowed. */
class LocationChecks {
  readonly #set: LocatedSet;
  readonly #layout: ChangedLayout;
  /** What depends on the delegations of the whole zone. */
  readonly #undecided: PlacedTarget[] = [];
  readonly faults = new Map<PlannedEffect, Misplacement>();

  constructor(set: LocatedSet, layout: ChangedLayout) {
    this.#set = set;
    this.#layout = layout;
  }

  async check(placed: readonly PlannedEffect[]): Promise<void> {
    const { reads, zone, stored, turns } = this.#set;
    const paths = new Map<PlannedEffect, readonly OwnerName[]>();
    const names = new Set<OwnerName>();
    const add = (target: PlannedEffect): void => {
      const path = namesAround(zone, target.name);
      paths.set(target, path);
      for (const name of path) names.add(name);
    };
    await eachInTurns(placed, add, turns);
    const at = await stored.alsoAt(names);
    const below = new Set([...paths.values()].flatMap((path) => path.slice(1)));
    const children = await reads.zonesAmong([...below]);
    for (const [target, path] of paths) {
      const atOrAbove = path.flatMap((name) => this.#layout.at(name, at(name)));
      const childZone = path.slice(1).find((name) => children.has(name));
      await this.#place(target, { zoneName: zone.name, atOrAbove, childZone });
      if (turns.isOver) await turns.next();
    }
  }

  async #place(target: PlannedEffect, around: Surroundings): Promise<void> {
    const recordset = target.after!;
    if (mayBeSiblingGlue(recordset, around)) {
      this.#undecided.push({ target, around, addresses: [] });
      return;
    }
    this.#note(target, around);
    if (this.faults.has(target) || !hides(recordset, this.#set.zone)) return;
    const { hidden, addresses } = await this.#hiddenBy(recordset);
    if (hidden !== undefined) this.#note(target, { ...around, hiddenBelow: hidden });
    else if (addresses.length > 0) this.#undecided.push({ target, around, addresses });
  }

  #note(target: PlannedEffect, around: Surroundings): void {
    const message = locationFault(target.after!, around);
    if (message !== undefined) this.faults.set(target, { message, childZone: around.childZone });
  }

  /** What a delegation or a DNAME hides, and the addresses that it hides unless a delegation elsewhere names them. */
  async #hiddenBy(
    placed: Recordset,
  ): Promise<{ readonly hidden: LocatedRecordset | undefined; readonly addresses: LocatedRecordset[] }> {
    const { reads, zone, turns } = this.#set;
    const addresses: LocatedRecordset[] = [];
    for (let last: StoredPlace | undefined; ; ) {
      const page = await reads.atOrBelow(zone, placed.name, ROWS_OF_A_PAGE, last);
      const hiding = page.filter((place) => this.#layout.mayHide(placed, place));
      const hidden = hiding.find((one) => placed.type !== 'NS' || !isAddress(one));
      if (hidden !== undefined) return { hidden: located(hidden), addresses };
      for (const one of hiding) addresses.push(located(one));
      if (page.length < ROWS_OF_A_PAGE) return { hidden: undefined, addresses };
      last = page.at(-1);
      if (turns.isOver) await turns.next();
    }
  }

  /** Decides the rest: one look at all delegations of the zone. */
  async finish(): Promise<void> {
    if (this.#undecided.length === 0) return;
    const { reads, zone, turns } = this.#set;
    const { gone, hosts } = this.#layout;
    const asked = new Set(
      this.#undecided.flatMap(({ target, addresses }) => [target.name, ...addresses.map(({ name }) => name)]),
    );
    const named = await reads.delegatedHosts(zone, [...asked], [...gone]);
    const decide = ({ target, around, addresses }: PlacedTarget): void => {
      const hiddenBelow = addresses.find(({ name }) => !named.has(name));
      const isNamedElsewhere = named.has(target.name) || hosts.has(target.name);
      this.#note(target, { ...around, hiddenBelow, isNamedElsewhere });
    };
    await eachInTurns(this.#undecided, decide, turns);
  }
}

/** Why targets are not allowed at their names. */
export async function locationFaults(
  set: LocatedSet,
  targets: readonly PlannedEffect[],
): Promise<ReadonlyMap<PlannedEffect, Misplacement>> {
  const layout = new ChangedLayout();
  const placed: PlannedEffect[] = [];
  const add = (target: PlannedEffect): void => {
    layout.add(target);
    if (isPlaced(target)) placed.push(target);
  };
  await eachInTurns(targets, add, set.turns);
  const checks = new LocationChecks(set, layout);
  for (let start = 0; start < placed.length; start += FEW)
    await checks.check(placed.slice(start, start + FEW));
  await checks.finish();
  return checks.faults;
}
