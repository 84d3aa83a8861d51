/** Collects what a change does, as the journal keeps it: for the history, and for IXFR (RFC 1995). */

import type { ContentChange } from '../../model/changes/contents.ts';
import type { AppliedTransfer, AppliedUpdate } from '../../model/changes/zone-change.ts';
import { EffectsWriter } from '../../model/history/effects-text.ts';
import type { RecordsetEffect } from '../../model/history/past-change.ts';
import { recordsDifference } from '../../model/publication/difference.ts';
import type { JournalEntry, JournalRecord } from '../../model/publication/publication.ts';

/** Approximate bytes of a record besides its name and rdata. */
const BYTES_BESIDE = 16;

export function effectOf(part: ContentChange): RecordsetEffect {
  switch (part.kind) {
    case 'added':
      return { before: undefined, after: part.recordset };
    case 'replaced':
      return { before: part.before, after: part.recordset };
    case 'removed':
      return { before: part.recordset, after: undefined };
  }
}

/** The difference for IXFR, until it is larger than its bound. */
export class Difference {
  readonly #removed: JournalRecord[] = [];
  readonly #added: JournalRecord[] = [];
  readonly #change: AppliedUpdate | AppliedTransfer;
  readonly #max: number;
  #left: number;

  /** @param maxBytes maximum size, in bytes */
  constructor(change: AppliedUpdate | AppliedTransfer, maxBytes: number) {
    const { before, after } = change;
    this.#change = change;
    this.#max = Math.min(maxBytes, 1024 + after.bytes);
    // A change of the default TTL also changes records that are not among the parts.
    this.#left = before.ttl === after.ttl ? this.#max : -1;
  }

  add({ before, after }: RecordsetEffect): void {
    if (this.#left < 0) return;
    const { removed, added } = recordsDifference(before, after, this.#change.after.ttl);
    for (const [name, , , rdata] of [...removed, ...added]) {
      this.#left -= name.length + rdata.length + BYTES_BESIDE;
    }
    if (this.#left < 0) return;
    this.#removed.push(...removed);
    this.#added.push(...added);
  }

  /** The size with both SOA records; 0 if a full transfer is smaller, or the only option. */
  bytes(soa: JournalEntry['soa']): number {
    if (this.#left < 0) return 0;
    return this.#max - this.#left + soa.reduce((sum, rdata) => sum + rdata.length + BYTES_BESIDE, 0);
  }

  /** The entry; undefined if a full transfer is smaller, or the only option. */
  entry(soa: JournalEntry['soa']): JournalEntry | undefined {
    const { before, after } = this.#change;
    if (this.#left < 0) return undefined;
    return {
      fromSerial: before.serial,
      toSerial: after.serial,
      soa,
      removed: this.#removed,
      added: this.#added,
    };
  }
}

/** What a change did to recordsets: numbers, and the effects until they are larger than their bound. */
export class EffectsJournal {
  readonly #effects: EffectsWriter;
  readonly summary = { create: 0, update: 0, delete: 0 };

  /** @param maxBytes maximum size of the effects, in bytes */
  constructor(maxBytes: number) {
    this.#effects = new EffectsWriter(maxBytes);
  }

  add(effect: RecordsetEffect): void {
    if (effect.before === undefined) this.summary.create += 1;
    else if (effect.after === undefined) this.summary.delete += 1;
    else this.summary.update += 1;
    this.#effects.add(effect);
  }

  /** Null if the effects are larger than their bound. */
  effects(): string | null {
    return this.#effects.text() ?? null;
  }
}
