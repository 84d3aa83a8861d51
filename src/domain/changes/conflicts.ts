/** Finds changes of one set whose result would depend on their order. */
import { type Fault, invalidObject } from '../../model/errors.ts';
import { eachInTurns, type TimeSlices } from '../../runtime/cooperative-yield.ts';
import { pathOf } from './faults.ts';
import type { ReadChange } from './read-changes.ts';

const MAX_LISTED = 100;

function isGradual({ action }: ReadChange): boolean {
  return action === 'add' || action === 'remove';
}

/** The changes of one recordset so far. */
class EarlierChanges {
  readonly #first: ReadChange;
  /** The first change with an own TTL. */
  #withTtl: ReadChange | undefined;
  /** The first change of each record. Most recordsets have one change, which needs none. */
  #byRecord: Map<string, ReadChange> | undefined;

  constructor(first: ReadChange) {
    this.#first = first;
  }

  /** Adds a change. Returns why it conflicts with an earlier one, if it does. */
  add(change: ReadChange): string | undefined {
    if (this.#byRecord === undefined) this.#remember(this.#first);
    const conflict = this.#conflictOf(change);
    this.#remember(change);
    return conflict;
  }

  #conflictOf(change: ReadChange): string | undefined {
    if (!isGradual(change) || !isGradual(this.#first))
      return `It changes the same recordset as changes.${this.#first.position}. Only "add" and "remove" may do so.`;
    if (this.#withTtl !== undefined && change.ttl !== undefined && this.#withTtl.ttl !== change.ttl)
      return `It gives the recordset another TTL than changes.${this.#withTtl.position}.`;
    for (const record of change.read?.records ?? []) {
      const other = this.#byRecord?.get(record);
      if (other !== undefined && other.action !== change.action)
        return `changes.${other.position} has the same record in the opposite action: ${record}`;
    }
    return undefined;
  }

  #remember(change: ReadChange): void {
    if (change.ttl !== undefined) this.#withTtl ??= change;
    this.#byRecord ??= new Map();
    for (const record of change.read?.records ?? [])
      if (!this.#byRecord.has(record)) this.#byRecord.set(record, change);
  }
}

/** The first change of each name that deletes all of its recordsets. */
async function wholeNames(changes: readonly ReadChange[], turns: TimeSlices) {
  const whole = new Map<string, ReadChange>();
  const add = (change: ReadChange): void => {
    if (change.type === undefined && !whole.has(change.name)) whole.set(change.name, change);
  };
  await eachInTurns(changes, add, turns);
  return whole;
}

/** Faults of changes of a name that has another change for all of its recordsets. */
async function faultsOfWholeNames(changes: readonly ReadChange[], turns: TimeSlices) {
  const whole = await wholeNames(changes, turns);
  const faults: Fault[] = [];
  if (whole.size === 0) return faults;
  const check = ({ name, position }: ReadChange): void => {
    const one = whole.get(name);
    if (one === undefined || one.position === position) return;
    const message = `changes.${one.position} deletes every recordset of this name.`;
    faults.push({ path: pathOf(position), message });
  };
  await eachInTurns(changes, check, turns);
  return faults;
}

/**
 * Refuses changes that conflict, so that the order of a set never matters.
 * @throws DomainError `invalid_object`
 */
export async function requireNoConflicts(changes: readonly ReadChange[], turns: TimeSlices): Promise<void> {
  const faults = await faultsOfWholeNames(changes, turns);
  const known = new Map<string, EarlierChanges>();
  const check = (change: ReadChange): void => {
    if (change.type === undefined) return;
    const key = `${change.name} ${change.type}`;
    const earlier = known.get(key);
    if (earlier === undefined) known.set(key, new EarlierChanges(change));
    const message = earlier?.add(change);
    if (message !== undefined) faults.push({ path: pathOf(change.position), message });
  };
  await eachInTurns(changes, check, turns);
  if (faults.length > 0) throw invalidObject(faults.slice(0, MAX_LISTED));
}
