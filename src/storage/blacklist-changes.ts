import type { Kysely } from 'kysely';
import type { BlacklistReads, NumberedPattern, Revision } from '../domain/blacklists/store.ts';
import { prepared } from './prepared.ts';
import type { Schema } from './schema.ts';

const BATCH = 1000;

const present = prepared<undefined, { revision: Revision }>((db) =>
  db.selectFrom('blacklist_revision').select('revision'),
);

/** The revision of the blacklists. */
export async function readRevision(db: Kysely<Schema>): Promise<Revision> {
  const { rows } = await db.executeQuery(present(db, undefined));
  return rows[0]!.revision;
}

/** Batches of numbered patterns by keyset: each starts where the previous one ended. */
async function* batches(
  after: Revision,
  fetch: (after: Revision) => Promise<readonly { at: Revision; number: Revision; pattern: string }[]>,
): AsyncGenerator<readonly NumberedPattern[]> {
  let position = after;
  for (;;) {
    const rows = await fetch(position);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    position = rows.at(-1)!.at;
  }
}

/** How the patterns have changed from one revision to another. */
export function blacklistChanges(db: Kysely<Schema>): Pick<BlacklistReads, 'revision' | 'added' | 'removed'> {
  return {
    revision: () => readRevision(db),

    added: (after, upTo) =>
      batches(after, (position) =>
        db
          .selectFrom('blacklists')
          .select(['number as at', 'number', 'pattern'])
          .where('number', '>', position)
          .where('number', '<=', upTo)
          .orderBy('number')
          .limit(BATCH)
          .execute(),
      ),

    removed: (after, upTo) =>
      batches(after, (position) =>
        db
          .selectFrom('blacklist_removals')
          .select(['revision as at', 'number', 'pattern'])
          .where('revision', '>', position)
          .where('revision', '<=', upTo)
          .orderBy('revision')
          .limit(BATCH)
          .execute(),
      ),
  };
}
