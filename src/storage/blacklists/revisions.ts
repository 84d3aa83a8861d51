import type { Kysely } from 'kysely';
import { traitsOf } from '../../model/blacklists/rule.ts';
import type { Revision } from '../../model/blacklists/store.ts';
import type { BeforeCommit } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { lockAllGates } from '../zones/name-gates.ts';
import { type BlacklistRow, termsFrom } from './rows.ts';

/** Raises the revision by a number of steps, and returns the first new revision. */
export type Raise = (steps: number) => Promise<Revision>;

/** Raises the revision within one transaction. */
export function raising(db: Kysely<Schema>, beforeCommit: BeforeCommit): Raise {
  let isRaised = false;
  return async (steps) => {
    const { revision } = await db
      .updateTable('blacklist_revision')
      .set((eb) => ({ revision: eb('revision', '+', steps) }))
      .returning('revision')
      .executeTakeFirstOrThrow();
    // Locks the gates last, so that creates wait only for the commit; creates that did not see this change have
    // finished by then.
    if (!isRaised) beforeCommit(() => lockAllGates(db));
    isRaised = true;
    return revision - steps + 1;
  };
}

/** Removes entries from every index, each at its own revision, in order. Ended entries are in no index. */
export async function leaveIndexes(
  db: Kysely<Schema>,
  rows: readonly BlacklistRow[],
  revisions: (count: number) => Promise<Revision>,
): Promise<void> {
  const held = rows.filter(({ ended }) => ended === 0);
  if (held.length === 0) return;
  const first = await revisions(held.length);
  const removals = held.map((row, place) => {
    const { enforced, conditional } = traitsOf(termsFrom(row));
    return {
      revision: first + place,
      number: row.number,
      pattern: row.pattern,
      enforced: Number(enforced),
      conditional: Number(conditional),
    };
  });
  await db.insertInto('blacklist_removals').values(removals).execute();
}
