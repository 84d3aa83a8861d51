import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Table } from './keys.ts';
import { type CopiedRow, compareKeys, type Key, keyOf, rowsOf } from './tables.ts';

/** The result for one key: both have the same row, or the copy lacks it, has a different one, or has an extra one. */
export interface Compared {
  readonly key: Key;
  readonly outcome: 'same' | 'missing' | 'other' | 'extra';
  /** The original's row, or the copy's if the original has none. */
  readonly row: CopiedRow;
}

function isSame(one: CopiedRow, other: CopiedRow): boolean {
  const columns = Object.keys(one);
  return columns.length === Object.keys(other).length && columns.every((name) => one[name] === other[name]);
}

function compareRows(table: Table, original: CopiedRow | undefined, copy: CopiedRow | undefined): Compared {
  const order =
    original === undefined || copy === undefined
      ? Number(original === undefined) - Number(copy === undefined)
      : compareKeys(keyOf(table, original), keyOf(table, copy));
  if (order > 0) return { key: keyOf(table, copy!), outcome: 'extra', row: copy! };
  const key = keyOf(table, original!);
  if (order < 0) return { key, outcome: 'missing', row: original! };
  return { key, outcome: isSame(original!, copy!) ? 'same' : 'other', row: original! };
}

/**
 * Compares a table of two databases in key order, with one page of each in memory.
 * @param endsWithCopy ignores rows of the original after the last row of the copy
 */
export async function* compareTable(
  table: Table,
  original: Kysely<Schema>,
  copy: Kysely<Schema>,
  endsWithCopy = false,
): AsyncGenerator<Compared, void> {
  const originals = rowsOf(original, table);
  const copies = rowsOf(copy, table);
  let one = (await originals.next()).value;
  let other = (await copies.next()).value;
  while (other !== undefined || (one !== undefined && !endsWithCopy)) {
    const compared = compareRows(table, one, other);
    yield compared;
    if (compared.outcome !== 'extra') one = (await originals.next()).value;
    if (compared.outcome !== 'missing') other = (await copies.next()).value;
  }
}
