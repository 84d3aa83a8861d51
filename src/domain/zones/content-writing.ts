/** Writes the recordsets of a change one by one; additions are written in batches of bounded size. */

import { type ContentChange, growthOf } from '../../model/changes/contents.ts';
import type { AppliedChange } from '../../model/changes/zone-change.ts';
import { DomainError } from '../../model/errors.ts';
import type { RecordsetEffect } from '../../model/history/past-change.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Transaction } from '../../model/store.ts';
import { NOTHING, sum } from '../../model/zones/totals.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { effectOf } from './journal.ts';

/** Recordsets per statement. */
const ROWS_OF_A_BATCH = 100;
/** Approximate size, in bytes of names and records, at which a batch is written. */
const BYTES_OF_A_BATCH = 65_536;

/** Collects what a change does. */
export interface EffectsCollector {
  add(effect: RecordsetEffect): void;
}

/** Counts the recordsets that a change adds to a zone for projects other than its owner. */
class ForeignRecordsets {
  readonly #zone: Zone | undefined;
  readonly #counts = new Map<string, number>();

  constructor(zone: Zone | undefined) {
    this.#zone = zone;
  }

  add(part: ContentChange): void {
    const { projectId } = part.recordset;
    if (projectId === this.#zone?.projectId) return;
    this.#counts.set(projectId, (this.#counts.get(projectId) ?? 0) + growthOf(part).recordsets);
  }

  write(tx: Transaction): void {
    for (const [projectId, count] of this.#counts) {
      if (this.#zone !== undefined && count !== 0) tx.shares.grow(this.#zone.id, projectId, count);
    }
  }
}

function collect(part: ContentChange, collectors: readonly EffectsCollector[]): void {
  const effect = effectOf(part);
  for (const one of collectors) one.add(effect);
}

/** Writes parts in batches of bounded size. */
class PartsWriter {
  readonly #tx: Transaction;
  readonly #serial: number;
  #added: Recordset[] = [];
  #removed: Recordset[] = [];
  #updated = 0;
  #bytes = 0;
  /** The outcome of the last insert: the next batch is made while the store writes. */
  #inserted: Promise<boolean> = Promise.resolve(true);

  constructor(tx: Transaction, serial: number) {
    this.#tx = tx;
    this.#serial = serial;
  }

  async add(part: ContentChange): Promise<void> {
    if (part.kind === 'added') this.#added.push(part.recordset);
    else if (part.kind === 'removed') this.#removed.push(part.recordset);
    else {
      this.#tx.recordsets.update(part.recordset, this.#serial, part.before);
      this.#updated += 1;
    }
    if (part.kind !== 'removed') this.#bytes += part.recordset.bytes;
    const rows = Math.max(this.#added.length, this.#removed.length, this.#updated);
    if (rows < ROWS_OF_A_BATCH && this.#bytes < BYTES_OF_A_BATCH) return;
    const isAwaited = this.#added.length > 0;
    await this.#flush();
    if (!isAwaited) await this.#tx.recordsets.catchUp();
  }

  /** @throws DomainError `duplicate_recordset` */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#requireInserted();
  }

  async #requireInserted(): Promise<void> {
    if (!(await this.#inserted)) throw new DomainError('duplicate_recordset');
  }

  async #flush(): Promise<void> {
    const [added, [removed, ...others]] = [this.#added, this.#removed];
    this.#added = [];
    this.#removed = [];
    this.#updated = 0;
    this.#bytes = 0;
    if (removed !== undefined) this.#tx.recordsets.remove([removed, ...others]);
    if (added.length === 0) return;
    await this.#requireInserted();
    this.#inserted = this.#tx.recordsets.insert(added, this.#serial);
    // The next await of the promise throws the failure.
    this.#inserted.catch(() => {});
  }
}

/**
 * Writes the parts as they arrive.
 * @returns the totals of the parts
 */
async function writeParts(
  tx: Transaction,
  { contents: { parts }, after: zone }: AppliedChange,
  collectors: readonly EffectsCollector[],
) {
  const writer = new PartsWriter(tx, zone?.serial ?? 0);
  const abroad = new ForeignRecordsets(zone);
  const turns = new TimeSlices();
  let written = NOTHING;
  for await (const part of parts) {
    written = sum(written, growthOf(part));
    abroad.add(part);
    if (collectors.length > 0) collect(part, collectors);
    await writer.add(part);
    if (turns.isOver) await turns.next();
  }
  await writer.finish();
  abroad.write(tx);
  return written;
}

/** Writes the recordsets of a change, and updates the counters of shares. */
export async function writeContents(
  tx: Transaction,
  change: AppliedChange,
  collectors: readonly EffectsCollector[],
): Promise<void> {
  const { growth } = change.contents;
  const written = await writeParts(tx, change, collectors);
  const keys = ['recordsets', 'records', 'bytes'] as const;
  if (keys.every((key) => written[key] === growth[key])) return;
  throw new Error('The totals of the parts of a change differ from its head.');
}
