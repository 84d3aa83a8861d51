/** Writes the recordsets of a change one by one; additions are written in batches of bounded size. */

import { type ContentChange, growthOf } from '../../model/changes/contents.ts';
import type { AppliedChange } from '../../model/changes/zone-change.ts';
import { DomainError } from '../../model/errors.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Transaction } from '../../model/store.ts';
import { NOTHING, sum } from '../../model/zones/totals.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { Difference } from './journal.ts';

/** Recordsets per statement. */
const ROWS_OF_A_BATCH = 100;
/** Approximate size, in bytes of names and records, at which a batch is written. */
const BYTES_OF_A_BATCH = 65_536;

function writePart(tx: Transaction, part: Exclude<ContentChange, { kind: 'added' }>, serial: number): void {
  if (part.kind === 'replaced') tx.recordsets.update(part.recordset, serial);
  else tx.recordsets.remove(part.recordset.id);
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

/**
 * Writes the parts as they arrive; additions in batches of bounded size.
 * @returns the totals of the parts
 */
async function writeParts(
  tx: Transaction,
  { contents: { parts }, after: zone }: AppliedChange,
  difference: Difference | undefined,
) {
  const serial = zone?.serial ?? 0;
  const abroad = new ForeignRecordsets(zone);
  let batch: Recordset[] = [];
  let bytes = 0;
  let written = NOTHING;
  const flush = async (): Promise<void> => {
    const rows = batch;
    batch = [];
    bytes = 0;
    if (rows.length > 0 && !(await tx.recordsets.insert(rows, serial)))
      throw new DomainError('duplicate_recordset');
  };
  for await (const part of parts) {
    written = sum(written, growthOf(part));
    abroad.add(part);
    difference?.add(part);
    if (part.kind !== 'added') {
      writePart(tx, part, serial);
      continue;
    }
    batch.push(part.recordset);
    bytes += part.recordset.bytes;
    if (batch.length >= ROWS_OF_A_BATCH || bytes >= BYTES_OF_A_BATCH) await flush();
  }
  await flush();
  abroad.write(tx);
  return written;
}

/** Writes the recordsets of a change, and updates the counters of shares. */
export async function writeContents(
  tx: Transaction,
  change: AppliedChange,
  difference: Difference | undefined,
): Promise<void> {
  const { growth } = change.contents;
  const written = await writeParts(tx, change, difference);
  const keys = ['recordsets', 'records', 'bytes'] as const;
  if (keys.every((key) => written[key] === growth[key])) return;
  throw new Error('The totals of the parts of a change differ from its head.');
}
