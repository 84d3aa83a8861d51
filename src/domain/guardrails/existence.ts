/** Whether there is something at a name after a change: its own recordsets, a wildcard's, or what is delegated. */
import { type OwnerName, subtreeKey } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { GuardrailReads, NameSurroundings } from '../../model/guardrails/store.ts';
import type { ZoneAfter } from './zone-after.ts';

/** A change of another zone than the one that the name belongs to. */
const UNCHANGED: Pick<ZoneAfter, 'typesAt' | 'addsBelow' | 'removedBelow'> = {
  typesAt: (_, stored) => new Set(stored),
  addsBelow: () => false,
  removedBelow: () => 0,
};

const isAtOrBelow = (key: string, above: string): boolean => key === above || key.startsWith(`${above}!`);

/** The keys of the names above a key, nearest first, up to the apex. */
function keysAbove(key: string, apex: string): readonly string[] {
  const keys: string[] = [];
  for (let one = key; one.length > apex.length; ) {
    one = one.slice(0, one.lastIndexOf('!'));
    keys.push(one);
  }
  return keys;
}

export class NameAfter {
  readonly #around: NameSurroundings;
  readonly #change: typeof UNCHANGED;
  readonly #key: string;
  readonly #above: readonly string[];

  constructor(name: OwnerName, around: NameSurroundings, change: ZoneAfter) {
    this.#around = around;
    this.#change = around.zone.id === change.zone.id ? change : UNCHANGED;
    this.#key = subtreeKey(name);
    this.#above = keysAbove(this.#key, subtreeKey(around.zone.name));
  }

  get zone(): NameSurroundings['zone'] {
    return this.#around.zone;
  }

  #typesAt(key: string): ReadonlySet<StoredType> {
    const stored = this.#around.recordsets.filter((one) => one.key === key).map(({ type }) => type);
    return this.#change.typesAt(key, stored);
  }

  /** The types of the recordsets at the name itself. */
  get types(): ReadonlySet<StoredType> {
    return this.#typesAt(this.#key);
  }

  /** Whether a delegation or a DNAME above the name decides what there is (RFC 1034, section 4.2.1; RFC 6672). */
  #isDelegated(): boolean {
    return this.#above.some((key, place) => {
      const types = this.#typesAt(key);
      const isApex = place === this.#above.length - 1;
      return types.has('DNAME') || (types.has('NS') && !isApex);
    });
  }

  /** Whether any recordset is at or below a key on the way to the name. */
  async #exists(key: string, reads: GuardrailReads): Promise<boolean> {
    if (this.#change.addsBelow(key)) return true;
    const isStored = this.#around.neighbours.some((neighbour) => isAtOrBelow(neighbour, key));
    const removed = this.#change.removedBelow(key);
    if (!isStored || removed === 0) return isStored;
    return (await reads.countBelow(this.zone.id, key, removed + 1)) > removed;
  }

  /**
   * RFC 4592, section 3.3.1: a wildcard covers the name if nothing exists between its parent and the name, so only the
   * nearest one can.
   */
  async #isCovered(reads: GuardrailReads): Promise<boolean> {
    const place = this.#above.findIndex((key) => this.#typesAt(`${key}!*`).size > 0);
    if (place < 0) return false;
    const child = place === 0 ? this.#key : this.#above[place - 1]!;
    return !(await this.#exists(child, reads));
  }

  /** Whether queries for the name find anything, or nobody here can tell. */
  async hasAnything(reads: GuardrailReads): Promise<boolean> {
    if (this.#around.isAwaited || this.types.size > 0 || this.#isDelegated()) return true;
    return this.#isCovered(reads);
  }
}
