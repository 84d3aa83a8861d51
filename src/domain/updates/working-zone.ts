/** The recordsets that an UPDATE names, while its steps are applied one after another (RFC 2136 section 3.4.2). */
import type { OwnerName } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import { isLaterSerial } from '../../dns/serial.ts';
import type { UpdateStep } from '../../dns/wire/update.ts';
import { DomainError } from '../../model/errors.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { isManaged } from '../recordsets/own-recordset.ts';

/** A recordset with data, as the steps so far leave it. */
interface WorkingSet {
  /** In seconds. */
  ttl: number;
  /** Canonical rdata, in order. */
  readonly records: Set<string>;
}

/** A recordset that the steps name, before and after all of them. */
export interface UpdatedSet {
  readonly name: OwnerName;
  readonly type: StoredType;
  readonly before: Recordset | undefined;
  /** Undefined for none. */
  readonly after: { readonly ttl: number; readonly records: ReadonlySet<string> } | undefined;
  /** Where its steps stand in the message. */
  readonly positions: readonly number[];
}

export type Addition = UpdateStep & { readonly kind: 'add' };
type ZoneFields = Pick<Zone, 'name' | 'ttl' | 'serial'>;

/** The serial in an SOA's canonical rdata. */
const serialOf = (rdata: string): number => Number(rdata.split(' ')[2]);

export class WorkingZone {
  readonly #zone: ZoneFields;
  readonly #stored = new Map<string, Recordset>();
  readonly #sets = new Map<string, Map<StoredType, WorkingSet>>();
  /** Positions of the steps by the name and type that they may change. */
  readonly #touched = new Map<
    string,
    { name: OwnerName; type: StoredType; before: Recordset | undefined; positions: number[] }
  >();

  /** @param stored every recordset at the names in the message */
  constructor(zone: ZoneFields, stored: readonly Recordset[]) {
    this.#zone = zone;
    for (const one of stored) {
      const { name, type, ttl, records } = one;
      this.#stored.set(`${name} ${type}`, one);
      this.#at(name).set(type, { ttl: ttl ?? zone.ttl, records: new Set(records) });
    }
  }

  isInUse(name: string): boolean {
    return (this.#sets.get(name)?.size ?? 0) > 0;
  }

  /** The records of a set; undefined if there is none. */
  recordsOf(name: string, type: StoredType): ReadonlySet<string> | undefined {
    return this.#sets.get(name)?.get(type)?.records;
  }

  /** The types of the recordsets at a name, except those that the service manages. */
  typesAt(name: string): readonly StoredType[] {
    const types = [...(this.#sets.get(name)?.keys() ?? [])];
    return types.filter((type) => !isManaged({ name: name as OwnerName, type }, this.#zone.name));
  }

  /** @throws DomainError `managed_recordset` */
  apply(step: UpdateStep, position: number): void {
    switch (step.kind) {
      case 'add':
        this.#add(step, position);
        break;
      case 'delete record':
        this.#deleteRecord(step, position);
        break;
      case 'delete set':
        this.#deleteSet(step.name, step.type, position);
        break;
      default:
        for (const type of this.typesAt(step.name)) this.#deleteSet(step.name, type, position);
    }
  }

  /** What the steps have touched. */
  *touched(): Generator<UpdatedSet, void> {
    for (const { name, type, before, positions } of this.#touched.values()) {
      const after = this.#sets.get(name)?.get(type);
      yield { name, type, before, after, positions };
    }
  }

  /** Whether a set differs from what is stored. */
  hasChanged({ before, after }: UpdatedSet): boolean {
    return !this.#isSame(before, after);
  }

  #isSame(before: Recordset | undefined, after: UpdatedSet['after']): boolean {
    if (before === undefined || after === undefined) return before === undefined && after === undefined;
    const { ttl, records } = before;
    const isSameSize = records.length === after.records.size;
    return (
      isSameSize && records.every((one) => after.records.has(one)) && (ttl ?? this.#zone.ttl) === after.ttl
    );
  }

  #at(name: string): Map<StoredType, WorkingSet> {
    const known = this.#sets.get(name);
    if (known !== undefined) return known;
    const made = new Map<StoredType, WorkingSet>();
    this.#sets.set(name, made);
    return made;
  }

  #touch(name: string, type: StoredType, position: number): void {
    const key = `${name} ${type}`;
    const known = this.#touched.get(key);
    if (known !== undefined) known.positions.push(position);
    else {
      const before = this.#stored.get(key);
      this.#touched.set(key, { name: name as OwnerName, type, before, positions: [position] });
    }
  }

  #add(step: Addition, position: number): void {
    const { name, type, ttl, rdata } = step;
    const here = this.#at(name);
    // Section 3.4.2.2: a CNAME and other data exclude each other, and what came first stays.
    const hasOther = [...here.keys()].some((one) => (one === 'CNAME') !== (type === 'CNAME'));
    if (isManaged({ name: name as OwnerName, type }, this.#zone.name)) {
      this.#requireSame(step, here);
      return;
    }
    if (hasOther) return;
    const set = here.get(type) ?? { ttl, records: new Set<string>() };
    // RFC 6672 section 5.2 for DNAME.
    if (type === 'CNAME' || type === 'DNAME') set.records.clear();
    set.records.add(rdata);
    set.ttl = ttl;
    here.set(type, set);
    this.#touch(name, type, position);
  }

  /**
   * Lets a managed record pass that changes nothing. An SOA is ignored where there is none, and if its serial is not
   * later.
   */
  #requireSame({ type, ttl, rdata }: Addition, here: ReadonlyMap<StoredType, WorkingSet>): void {
    const set = here.get(type);
    const isSame =
      type === 'SOA'
        ? set === undefined || !isLaterSerial(serialOf(rdata), this.#zone.serial)
        : set?.records.has(rdata) && set.ttl === ttl;
    if (!isSame) throw new DomainError('managed_recordset');
  }

  #deleteRecord(step: UpdateStep & { readonly kind: 'delete record' }, position: number): void {
    const { name, type, rdata } = step;
    const set = this.#sets.get(name)?.get(type);
    if (type === 'SOA' || !set?.records.has(rdata)) return;
    if (isManaged({ name: name as OwnerName, type }, this.#zone.name)) {
      // Section 3.4.2.4: the last NS record of the apex stays.
      if (set.records.size === 1) return;
      throw new DomainError('managed_recordset');
    }
    set.records.delete(rdata);
    if (set.records.size === 0) this.#sets.get(name)!.delete(type);
    this.#touch(name, type, position);
  }

  #deleteSet(name: string, type: StoredType, position: number): void {
    if (isManaged({ name: name as OwnerName, type }, this.#zone.name)) return;
    if (this.#sets.get(name)?.delete(type)) this.#touch(name, type, position);
  }
}
