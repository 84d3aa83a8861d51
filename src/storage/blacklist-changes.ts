import { type Kysely, sql } from 'kysely';
import { traitsOf } from '../domain/blacklists/rule.ts';
import type { BlacklistReads, NumberedPattern, Present, Revision } from '../domain/blacklists/store.ts';
import { termsFrom } from './blacklist-rows.ts';
import { flavourOf } from './flavour.ts';
import { prepared } from './prepared.ts';
import type { Schema } from './schema.ts';

const BATCH = 1000;

const present = prepared<undefined, { revision: Revision; instant: string | null }>((db) =>
  db
    .selectFrom('blacklist_revision')
    .select(['revision', sql<string | null>`${flavourOf(db).now}`.as('instant')]),
);

/** The revision of the blacklists, and the instant at which it is read. */
export async function readPresent(db: Kysely<Schema>): Promise<Present> {
  const { rows } = await db.executeQuery(present(db, undefined));
  const { revision, instant } = rows[0]!;
  return { revision, instant: instant ?? undefined };
}

interface Position {
  readonly at: Revision;
}

/** Batches of rows by keyset: each starts where the previous one ended. */
async function* batches<R extends Position>(
  after: Revision,
  fetch: (after: Revision) => Promise<readonly R[]>,
  read: (row: R) => NumberedPattern,
): AsyncGenerator<readonly NumberedPattern[]> {
  let position = after;
  for (;;) {
    const rows = await fetch(position);
    if (rows.length > 0) yield rows.map(read);
    if (rows.length < BATCH) return;
    position = rows.at(-1)!.at;
  }
}

/** How the patterns have changed from one revision to another. */
export function blacklistChanges(
  db: Kysely<Schema>,
): Pick<BlacklistReads, 'revision' | 'present' | 'added' | 'removed'> {
  return {
    revision: async () => (await readPresent(db)).revision,

    present: () => readPresent(db),

    added: (after, upTo) =>
      batches(
        after,
        (position) =>
          db
            .selectFrom('blacklists')
            .select(['number as at', 'number', 'pattern', 'mode', 'expires_at', 'exceptions'])
            .where('number', '>', position)
            .where('number', '<=', upTo)
            .where('ended', '=', 0)
            .orderBy('number')
            .limit(BATCH)
            .execute(),
        ({ number, pattern, ...terms }) => ({ number, pattern, traits: traitsOf(termsFrom(terms)) }),
      ),

    removed: (after, upTo) =>
      batches(
        after,
        (position) =>
          db
            .selectFrom('blacklist_removals')
            .select(['revision as at', 'number', 'pattern', 'enforced', 'conditional'])
            .where('revision', '>', position)
            .where('revision', '<=', upTo)
            .orderBy('revision')
            .limit(BATCH)
            .execute(),
        ({ number, pattern, enforced, conditional }) => ({
          number,
          pattern,
          traits: { enforced: enforced === 1, conditional: conditional === 1 },
        }),
      ),
  };
}
