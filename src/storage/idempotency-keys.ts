import type { Kysely } from 'kysely';
import { DomainError } from '../domain/errors.ts';
import type { IdempotencyKeyReads, IdempotencyKeyWrites } from '../domain/idempotency/store.ts';
import type { OpenTransaction } from './database.ts';
import { flavourOf } from './flavour.ts';
import type { Schema } from './schema.ts';

/** The status of a row without an answer. Only its own transaction sees it. */
const NONE_YET = 0;

export function idempotencyKeyReads(db: Kysely<Schema>): IdempotencyKeyReads {
  return {
    async find(key, after) {
      const row = await db
        .selectFrom('idempotency_keys')
        .selectAll()
        .where('key', '=', key)
        .where('created_at', '>', after)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { status, body } = row;
      return { bodyHash: row.body_hash, answer: { status, headers: JSON.parse(row.headers), body } };
    },
  };
}

export function idempotencyKeyWrites({ now: db, later }: OpenTransaction): IdempotencyKeyWrites {
  const { shortWait } = flavourOf(db);
  return {
    async claim({ key, bodyHash, createdAt }, after) {
      const claimed = {
        body_hash: bodyHash,
        status: NONE_YET,
        headers: '{}',
        body: '',
        created_at: createdAt,
      };
      const insert = db
        .insertInto('idempotency_keys')
        .values({ key, ...claimed })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet(claimed).where('idempotency_keys.created_at', '<=', after),
        );
      if (shortWait !== undefined) later(shortWait.begin.compile(db));
      const { numInsertedOrUpdatedRows } = await insert.executeTakeFirstOrThrow().catch((error) => {
        throw shortWait?.isOver(error) ? new DomainError('idempotency_key_running') : error;
      });
      if (shortWait !== undefined) later(shortWait.end.compile(db));
      return numInsertedOrUpdatedRows === 1n;
    },

    keep(key, { status, headers, body }) {
      const answer = { status, headers: JSON.stringify(headers), body };
      later(db.updateTable('idempotency_keys').set(answer).where('key', '=', key));
    },

    release: (key) => later(db.deleteFrom('idempotency_keys').where('key', '=', key)),

    removeExpired(upTo, most) {
      const oldest = db
        .selectFrom('idempotency_keys')
        .select('key')
        .where('created_at', '<=', upTo)
        .orderBy('created_at')
        .limit(most);
      // The condition occurs twice: a key that is taken again meanwhile must not be deleted.
      later(db.deleteFrom('idempotency_keys').where('key', 'in', oldest).where('created_at', '<=', upTo));
    },
  };
}
