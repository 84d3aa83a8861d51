import { type OwnerName, subtreeKey } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { ContentChange } from '../../model/changes/contents.ts';
import { isPointingType, targetsOf } from '../../model/guardrails/targets.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { addToGroup } from '../../runtime/group-by.ts';

/** A key and the keys of the names above it, nearest first. */
function* withAncestors(key: string): Generator<string, void> {
  for (let end = key.length; end > 0; end = key.lastIndexOf('!', end - 1)) yield key.slice(0, end);
}

/** The names that a part makes a recordset point at. */
export function newTargets(part: ContentChange): readonly OwnerName[] {
  if (part.kind === 'removed') return [];
  const targets = targetsOf(part.recordset);
  if (part.kind === 'added') return targets;
  const before = new Set(targetsOf(part.before));
  return targets.filter((target) => !before.has(target));
}

/** What a change of a zone's recordsets adds to what is stored, and takes from it. */
export class ZoneAfter {
  readonly zone: Pick<Zone, 'id' | 'name' | 'projectId'>;
  readonly #added = new Map<string, Set<StoredType>>();
  readonly #removed = new Map<string, Set<StoredType>>();
  /** Keys at and above added names. */
  readonly #existing = new Set<string>();
  /** Number of removed recordsets at and below each key. */
  readonly #removedBelow = new Map<string, number>();
  readonly #pointing = new Map<OwnerName, Recordset[]>();
  readonly #unpointed = new Map<OwnerName, Set<string>>();

  constructor(zone: ZoneAfter['zone']) {
    this.zone = zone;
  }

  add(part: ContentChange): void {
    const { name, type, id } = part.recordset;
    const key = subtreeKey(name);
    if (part.kind === 'added') this.#add(key, type);
    if (part.kind === 'removed') this.#remove(key, type);
    if (isPointingType(type)) this.#point(part, id);
  }

  #point(part: ContentChange, id: string): void {
    const stored = part.kind === 'replaced' ? part.before : part.recordset;
    const lost = part.kind === 'added' ? [] : targetsOf(stored);
    const kept = new Set(part.kind === 'removed' ? [] : targetsOf(part.recordset));
    for (const target of lost.filter((one) => !kept.has(one)))
      this.#unpointed.set(target, (this.#unpointed.get(target) ?? new Set()).add(id));
    for (const target of newTargets(part)) addToGroup(this.#pointing, target, part.recordset);
  }

  #add(key: string, type: StoredType): void {
    this.#added.set(key, (this.#added.get(key) ?? new Set()).add(type));
    for (const one of withAncestors(key)) this.#existing.add(one);
  }

  #remove(key: string, type: StoredType): void {
    this.#removed.set(key, (this.#removed.get(key) ?? new Set()).add(type));
    for (const one of withAncestors(key)) this.#removedBelow.set(one, this.removedBelow(one) + 1);
  }

  /** The types at a key after the change. @param stored the types there before it */
  typesAt(key: string, stored: readonly StoredType[]): ReadonlySet<StoredType> {
    const removed = this.#removed.get(key);
    return new Set([...stored.filter((type) => !removed?.has(type)), ...(this.#added.get(key) ?? [])]);
  }

  /** Whether the change adds a recordset at or below a key. */
  addsBelow(key: string): boolean {
    return this.#existing.has(key);
  }

  /** The number of recordsets that it removes at or below a key. */
  removedBelow(key: string): number {
    return this.#removedBelow.get(key) ?? 0;
  }

  /** The recordsets that it makes point at a name. */
  nowPointingAt(target: OwnerName): readonly Recordset[] {
    return this.#pointing.get(target) ?? [];
  }

  /** The ids of the recordsets that it stops from pointing at a name. */
  noLongerPointingAt(target: OwnerName): ReadonlySet<string> {
    return this.#unpointed.get(target) ?? new Set();
  }
}
