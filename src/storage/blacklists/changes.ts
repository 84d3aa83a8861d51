import { type Kysely, type RawBuilder, sql } from 'kysely';
import { traitsOf } from '../../model/blacklists/rule.ts';
import type {
  BlacklistReads,
  NumberedPattern,
  Revision,
  RevisionSnapshot,
} from '../../model/blacklists/store.ts';
import { dialectOf } from '../database/dialect.ts';
import { limitTo } from '../database/limit.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { rowTextsOf } from '../lists/row-texts.ts';
import { type BlacklistRow, type TermColumns, termsFrom } from './rows.ts';

/** Number of rows read in one turn of the event loop. */
const BATCH = 250;

const present = prepared<undefined, { revision: Revision; instant: string | null }>((db) =>
  db
    .selectFrom('blacklist_revision')
    .select(['revision', sql<string | null>`${dialectOf(db).now}`.as('instant')]),
);

/** The blacklist revision, and the time at which it was read. */
export async function readPresent(db: Kysely<Schema>): Promise<RevisionSnapshot> {
  const { rows } = await db.executeQuery(present(db, undefined));
  const { revision, instant } = rows[0]!;
  return { revision, instant: instant ?? undefined };
}

/** What the index needs of an entry. */
type NumberedRow = Pick<BlacklistRow, 'number' | 'pattern' | keyof TermColumns>;

/** Reads rows in batches by keyset: each batch starts where the previous one ended. */
async function* batches<R, T extends NumberedPattern>(
  after: Revision,
  fetch: (after: Revision) => Promise<readonly R[]>,
  positionOf: (row: R) => Revision,
  read: (row: R) => T,
): AsyncGenerator<readonly T[]> {
  let position = after;
  for (;;) {
    const rows = await fetch(position);
    if (rows.length > 0) yield rows.map(read);
    if (rows.length < BATCH) return;
    position = Math.max(...rows.map(positionOf));
  }
}

/** The tasks that were published between two revisions. */
async function publishedTasks(db: Kysely<Schema>, after: Revision, upTo: Revision) {
  const rows = await db
    .selectFrom('blacklist_tasks')
    .select(['number', 'first', 'last', 'is_over'])
    .where('revision', '>', after)
    .where('revision', '<=', upTo)
    .execute();
  return rows.map(({ is_over, ...task }) => ({ ...task, isSwept: is_over === 1 }));
}

const PATTERN_TEXTS = rowTextsOf<NumberedRow>(['number', 'pattern', 'mode', 'expires_at', 'exceptions']);

/** The patterns in force with numbers in a range. */
function numbered(db: Kysely<Schema>, after: Revision, upTo: Revision, condition: RawBuilder<boolean>) {
  return batches(
    after,
    (position) =>
      PATTERN_TEXTS.readTogether(
        db,
        sql`select number, pattern, mode, expires_at, exceptions from blacklists
          where number > ${position} and number <= ${upTo} and ended = 0 and ${condition}
          order by number ${limitTo(BATCH)}`,
      ),
    ({ number }) => number,
    ({ number, pattern, mode, expires_at, exceptions }) => ({
      number,
      pattern,
      mode,
      traits: traitsOf(termsFrom({ mode, expires_at, exceptions })),
    }),
  );
}

function recordedRemovals(db: Kysely<Schema>, after: Revision, upTo: Revision) {
  return batches(
    after,
    (position) =>
      db
        .selectFrom('blacklist_removals')
        .select(['revision', 'number', 'pattern', 'enforced', 'conditional'])
        .where('revision', '>', position)
        .where('revision', '<=', upTo)
        .orderBy('revision')
        .limit(BATCH)
        .execute(),
    ({ revision }) => revision,
    ({ number, pattern, enforced, conditional }) => ({
      number,
      pattern,
      traits: { enforced: enforced === 1, conditional: conditional === 1 },
    }),
  );
}

/** Changes to the patterns between two revisions. */
export function blacklistChanges(
  db: Kysely<Schema>,
): Pick<BlacklistReads, 'revision' | 'present' | 'added' | 'removed'> {
  return {
    revision: async () => (await readPresent(db)).revision,

    present: () => readPresent(db),

    async *added(after, upTo) {
      // Entries that were staged with smaller numbers, and have been published since.
      for (const { number, first, last } of await publishedTasks(db, after, upTo)) {
        const end = Math.min(last, after);
        if (first <= end) yield* numbered(db, first - 1, end, sql`arrives = ${number}`);
      }
      const isKnown = sql<boolean>`(arrives = 0 or arrives in (
        select number from blacklist_tasks where revision > 0 and revision <= ${upTo}))`;
      yield* numbered(db, after, upTo, isKnown);
    },

    async *removed(after, upTo) {
      // Before the recorded removals, so that a removal recorded in the meantime is not missed.
      for (const { number, isSwept } of await publishedTasks(db, after, upTo))
        if (!isSwept) yield* numbered(db, 0, upTo, sql`leaves = ${number} and leaves <> 0`);
      yield* recordedRemovals(db, after, upTo);
    },
  };
}
