import type { OwnerName } from '../../dns/names.ts';
import type { PlanningReads } from '../../model/changes/store.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { eachInTurns, type TimeSlices } from '../../runtime/cooperative-yield.ts';
import { addToGroup, groupBy } from '../../runtime/group-by.ts';
import { namesDownTo } from '../recordsets/zone-layout.ts';
import type { Intent } from './intents.ts';

/** Up to so many intents, everything around their names is read at once. */
export const FEW = 1000;

/** The names at which recordsets decide whether one is allowed at a name: from the apex down to it. */
export function namesAround(zone: Zone, name: OwnerName): readonly OwnerName[] {
  const isInside = name === zone.name || name.endsWith(`.${zone.name}`);
  return isInside ? (namesDownTo(zone.name, name) as readonly OwnerName[]) : [name];
}

/** The stored recordsets at the names of a set. */
export class StoredNames {
  readonly #reads: PlanningReads;
  readonly #zone: Zone;
  readonly #asked = new Set<OwnerName>();
  readonly #at = new Map<OwnerName, Recordset[]>();

  constructor(reads: PlanningReads, zone: Zone) {
    this.#reads = reads;
    this.#zone = zone;
  }

  /**
   * Reads what is stored at the names of intents; for a few intents, also above them. Names where only recordsets that the
   * intents know are concerned are not read.
   */
  async read(intents: readonly Intent[], turns: TimeSlices): Promise<void> {
    const areFew = intents.length <= FEW;
    const add = ({ name, mayCreate, type, stored }: Intent): void => {
      const isPlaced = mayCreate || type === 'NS';
      if (isPlaced && areFew) for (const one of namesAround(this.#zone, name)) this.#asked.add(one);
      else if (isPlaced || stored === undefined) this.#asked.add(name);
    };
    await eachInTurns(intents, add, turns);
    const found = await this.#reads.atNames(this.#zone.id, [...this.#asked]);
    await eachInTurns(found, (one) => addToGroup(this.#at, one.name, one), turns);
  }

  at(name: OwnerName): readonly Recordset[] {
    return this.#at.get(name) ?? [];
  }

  /** Returns the function that gives what is stored at each of the names. Other names are read, but not kept. */
  async alsoAt(names: Iterable<OwnerName>): Promise<(name: OwnerName) => readonly Recordset[]> {
    const missing = [...names].filter((name) => !this.#asked.has(name));
    if (missing.length === 0) return (name) => this.at(name);
    const found = groupBy(await this.#reads.atNames(this.#zone.id, missing), ({ name }) => name);
    return (name) => found.get(name) ?? this.at(name);
  }
}
