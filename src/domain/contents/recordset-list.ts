import { RecordsetTable } from '../../dns/zone-file/recordset-table.ts';
import { type Fault, invalidObject } from '../../model/errors.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { wireLengthOf } from '../../model/recordsets/size.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { isManaged } from '../recordsets/own-recordset.ts';
import { faultsOfWhole, type Records, recordsInTurns } from '../recordsets/records.ts';
import { FileRecordsets } from '../zone-files/zone-contents.ts';
import type { ContentsTarget, GivenRecordset, WantedContents } from './wanted-contents.ts';

const MAX_LISTED = 100;

/** Collects the recordsets of a list. */
class ListReading {
  readonly #target: ContentsTarget;
  readonly #table = new RecordsetTable();
  readonly #spellings = new Map<number, Recordset['spellings']>();
  readonly #descriptions = new Map<number, string | null>();
  readonly #faults: Fault[] = [];
  #ignored = 0;

  constructor(target: ContentsTarget) {
    this.#target = target;
  }

  get isFull(): boolean {
    return this.#faults.length >= MAX_LISTED;
  }

  /** Whether the recordset counts. Otherwise it is left alone, or has a fault. */
  wants({ name, type, records }: GivenRecordset, position: number): boolean {
    const { zone, keep } = this.#target;
    const isInside = name === zone.name || name.endsWith(`.${zone.name}`);
    if (type === 'SOA' && name !== zone.name) {
      this.#refuse(position, `The SOA is at ${name}, the zone is ${zone.name}. Remove it.`, 'name');
      return false;
    }
    if (!isInside || isManaged({ name, type }, zone.name)) {
      this.#ignored += records.length;
      return false;
    }
    const earlier = this.#table.find(name, type);
    if (earlier === undefined) return !keep.has(type);
    const first = this.#table.line(earlier);
    this.#refuse(position, `recordsets.${first} has the same name and type. Join their records.`);
    return false;
  }

  async add(given: GivenRecordset, position: number, turns: TimeSlices): Promise<void> {
    const { read, faults: found } = await recordsInTurns(given, given.records, turns);
    const faults = found.length > 0 ? found : faultsOfWhole(given.type, read);
    for (const { path, message } of faults) this.#refuse(position, message, ...path);
    if (faults.length === 0) this.#keep(given, read, position);
  }

  #keep({ name, type, ttl, description }: GivenRecordset, read: Records, position: number): void {
    const seconds = { seconds: ttl ?? this.#target.zone.ttl, isOwn: ttl !== null };
    for (const text of read.records) {
      const rdata = { text, wireLength: wireLengthOf(type, text), spelling: read.spellings[text] };
      this.#table.add(name, type, seconds, rdata, position);
    }
    const recordset = this.#table.size - 1;
    if (Object.keys(read.spellings).length > 0) this.#spellings.set(recordset, read.spellings);
    if (description !== undefined) this.#descriptions.set(recordset, description);
  }

  #refuse(position: number, message: string, ...part: readonly (string | number)[]): void {
    this.#faults.push({ path: ['recordsets', position, ...part], message });
  }

  /** @throws DomainError `invalid_object` */
  wanted(): WantedContents {
    if (this.#faults.length > 0) throw invalidObject(this.#faults.slice(0, MAX_LISTED));
    const { name, ttl } = this.#target.zone;
    return {
      recordsets: new FileRecordsets(this.#table, name, ttl),
      spellings: this.#spellings,
      descriptions: this.#descriptions,
      isSpelled: true,
      ignored: this.#ignored,
    };
  }
}

/**
 * Reads a list of recordsets as the contents of an existing zone.
 * @throws DomainError `invalid_object` with all faults
 */
export async function readRecordsetList(
  given: readonly GivenRecordset[],
  target: ContentsTarget,
): Promise<WantedContents> {
  const turns = new TimeSlices(target.projectId);
  const reading = new ListReading(target);
  for (const [position, one] of given.entries()) {
    if (reading.wants(one, position)) await reading.add(one, position, turns);
    if (reading.isFull) break;
    if (turns.isOver) await turns.next();
  }
  return reading.wanted();
}
