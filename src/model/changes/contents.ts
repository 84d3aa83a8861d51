/** The recordsets that a zone change adds, replaces and removes. */
import type { Recordset } from '../recordsets/recordset.ts';
import { NOTHING, sum, type Totals } from '../zones/totals.ts';

/** A recordset that a change adds, replaces or removes. */
export type ContentChange =
  | { readonly kind: 'added'; readonly recordset: Recordset }
  | { readonly kind: 'replaced'; readonly before: Recordset; readonly recordset: Recordset }
  | { readonly kind: 'removed'; readonly recordset: Recordset };

/**
 * The effect of a change on the recordsets of a zone: totals, and a stream of parts that is read only once and may not
 * fit into memory.
 */
export interface Contents {
  readonly growth: Totals;
  /** Record counts, after and before the change, of the recordset that grows to the largest size. */
  readonly largest: { readonly now: number; readonly before: number };
  readonly parts: Iterable<ContentChange> | AsyncIterable<ContentChange>;
  /** True if DNS data changes, so that the serial increases. */
  readonly steps: boolean;
  /** The amount written, if it differs from the growth. */
  readonly written?: { readonly recordsets: number; readonly bytes: number };
}

/** Number of records that count towards the totals: none if managed. */
function countOf({ managed, records }: Recordset): number {
  return managed ? 0 : records.length;
}

/** Number of records of a part after and before the change. */
function recordsOf(part: ContentChange): { now: number; before: number } {
  const own = countOf(part.recordset);
  if (part.kind === 'removed') return { now: 0, before: own };
  return { now: own, before: part.kind === 'added' ? 0 : countOf(part.before) };
}

function bytesOf({ kind, recordset: { bytes }, ...part }: ContentChange): number {
  if (kind === 'removed') return -bytes;
  return 'before' in part ? bytes - part.before.bytes : bytes;
}

/** Whether a part changes DNS data: a description, a spelling or the order of records does not. */
export function altersData(part: ContentChange): boolean {
  if (part.kind !== 'replaced') return true;
  const { before, recordset } = part;
  if (before.ttl !== recordset.ttl || before.records.length !== recordset.records.length) return true;
  const present = new Set(before.records);
  return !recordset.records.every((text) => present.has(text));
}

/** What one part adds to the totals of its zone. */
export function growthOf(part: ContentChange): Totals {
  const { now, before } = recordsOf(part);
  const recordsets = { added: 1, replaced: 0, removed: -1 }[part.kind];
  return { recordsets, records: now - before, bytes: bytesOf(part) };
}

/** Sums up parts for the head of their change. */
export class ContentsHead {
  growth = NOTHING;
  largest: Contents['largest'] = { now: 0, before: 0 };
  steps = false;
  written = { recordsets: 0, bytes: 0 };

  add(part: ContentChange): void {
    const records = recordsOf(part);
    this.growth = sum(this.growth, growthOf(part));
    if (records.now > records.before && records.now > this.largest.now) this.largest = records;
    this.steps ||= altersData(part);
    const { recordsets, bytes } = this.written;
    this.written = { recordsets: recordsets + 1, bytes: bytes + part.recordset.bytes };
  }

  /** The contents of a change with the parts that were added. */
  over(parts: readonly ContentChange[]): Contents {
    return { growth: this.growth, largest: this.largest, steps: this.steps, parts };
  }
}

/** The contents of a change that fits into memory. */
export function contentsOf(...parts: readonly ContentChange[]): Contents {
  return contentsOfParts(parts);
}

/** Like `contentsOf`, for an array of parts. */
export function contentsOfParts(parts: readonly ContentChange[]): Contents {
  const head = new ContentsHead();
  for (const part of parts) head.add(part);
  return head.over(parts);
}

export const NO_CONTENTS = contentsOf();
