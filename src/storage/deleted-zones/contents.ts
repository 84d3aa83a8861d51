/** The contents of deleted zones. Their parts have ids in order, so that the primary key finds them all. */
import type { Kysely } from 'kysely';
import type { LongReads, OpenTransaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** Parts read at a time. */
const PAGE = 8;
const DIGITS_OF_A_NUMBER = 8;

export function partId(contentsId: string, number: number): string {
  return `${contentsId}/${String(number).padStart(DIGITS_OF_A_NUMBER, '0')}`;
}

/** The parts of some contents, in no order. */
export function partsOf(db: Kysely<Schema>, contentsId: string) {
  // The character after the slash is a zero.
  return db
    .selectFrom('deleted_contents')
    .where('id', '>', `${contentsId}/`)
    .where('id', '<', `${contentsId}0`);
}

/** @param reads returns where to read on behalf of a project */
export function deletedContents(reads: LongReads) {
  return async function* contents(contentsId: string, onBehalfOf: string): AsyncGenerator<string, void> {
    for (let after = `${contentsId}/`; ; ) {
      const parts = partsOf(reads(onBehalfOf), contentsId).where('id', '>', after);
      const rows = await parts.select(['id', 'part']).orderBy('id').limit(PAGE).execute();
      for (const { part } of rows) yield part;
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.id;
    }
  };
}

/** Leaves contents to the upkeep. */
export function forgetContents({ now: db, later }: OpenTransaction, contentsId: string): void {
  later(
    db
      .insertInto('forgotten_contents')
      .values({ contents_id: contentsId })
      .onConflict((conflict) => conflict.doNothing()),
  );
}
