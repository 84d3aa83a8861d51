import { type Kysely, sql } from 'kysely';
import { DomainError } from '../model/errors.ts';
import { responseBytes } from '../model/idempotency/idempotency-key.ts';
import type {
  Claim,
  IdempotencyKeyReads,
  IdempotencyKeyWrites,
  StoredResponseSelection,
} from '../model/idempotency/store.ts';
import { pipelined } from '../runtime/pipelined.ts';
import type { OpenTransaction } from './database/database.ts';
import { dialectOf } from './database/dialect.ts';
import type { Schema } from './database/schema.ts';

/** The status of a row that has no response yet. Only its own transaction sees it. */
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
      const { status, resource_id: resourceId } = row;
      const body = resourceId === '' ? row.body : undefined;
      return {
        bodyHash: row.body_hash,
        answer: { status, headers: JSON.parse(row.headers), body, resourceId },
      };
    },
  };
}

/** Takes the key, unless it has a response that was created after the given time. */
async function takeKey(
  { now: db, later }: OpenTransaction,
  claim: Claim,
  after: string,
): Promise<{ isTaken: boolean }> {
  const { shortWait } = dialectOf(db);
  const claimed = {
    project_id: claim.projectId,
    body_hash: claim.bodyHash,
    status: NONE_YET,
    headers: '{}',
    body: '',
    created_at: claim.createdAt,
    number: 0,
    bytes_before: 0,
    resource_id: '',
  };
  if (shortWait !== undefined) later(shortWait.begin.compile(db));
  const inserted = db
    .insertInto('idempotency_keys')
    .values({ key: claim.key, ...claimed })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(claimed).where('idempotency_keys.created_at', '<=', after),
    )
    .executeTakeFirstOrThrow();
  if (shortWait !== undefined) later(shortWait.end.compile(db));
  const { numInsertedOrUpdatedRows } = await inserted.catch((error) => {
    throw shortWait?.isOver(error) ? new DomainError('idempotency_key_running') : error;
  });
  return { isTaken: numInsertedOrUpdatedRows === 1n };
}

/** Takes the next number of a project, which locks its row until the transaction ends. */
function takeNumber(db: Kysely<Schema>, projectId: string) {
  return db
    .insertInto('idempotency_projects')
    .values({ project_id: projectId, last_number: 1, bytes: 0 })
    .onConflict((conflict) =>
      conflict
        .column('project_id')
        .doUpdateSet((eb) => ({ last_number: eb('idempotency_projects.last_number', '+', 1) })),
    )
    .returning(['last_number', 'bytes'])
    .executeTakeFirstOrThrow();
}

/** The oldest of the project's responses that were created after the given time. */
function oldestResponse(db: Kysely<Schema>, projectId: string, after: string) {
  return (
    db
      .selectFrom('idempotency_keys')
      .select(['number', 'bytes_before'])
      .where('project_id', '=', projectId)
      // A literal, so that the partial index of these rows can be used for any parameters.
      .where('number', '>', sql.lit(0))
      .where('created_at', '>', after)
      .orderBy('number')
      .limit(1)
      .executeTakeFirst()
  );
}

function removal(db: Kysely<Schema>, { projectId, upTo }: StoredResponseSelection, most: number) {
  const chosen = db.selectFrom('idempotency_keys').select('key').where('created_at', '<=', upTo);
  const own = projectId === undefined ? chosen : chosen.where('project_id', '=', projectId);
  const oldest = own.orderBy('created_at').limit(most);
  // The condition is repeated: a key that was taken again in the meantime must not be deleted.
  return db.deleteFrom('idempotency_keys').where('key', 'in', oldest).where('created_at', '<=', upTo);
}

export function idempotencyKeyWrites(tx: OpenTransaction): IdempotencyKeyWrites {
  const { now: db, later } = tx;
  return {
    async claim(claim, after) {
      const { key, projectId } = claim;
      const [{ isTaken }, next, oldest] = await pipelined(
        takeKey(tx, claim, after),
        takeNumber(db, projectId),
        oldestResponse(db, projectId, after),
      );
      if (!isTaken) return undefined;
      const { last_number: number, bytes: bytesBefore } = next;
      const kept = {
        responses: oldest === undefined ? 0 : number - oldest.number,
        bytes: oldest === undefined ? 0 : bytesBefore - oldest.bytes_before,
      };
      return { key, projectId, number, bytesBefore, kept };
    },

    keep({ key, projectId, number, bytesBefore }, answer) {
      const { status, headers, body, resourceId } = answer;
      const kept = {
        status,
        headers: JSON.stringify(headers),
        // Older programs, which do not know `resource_id`, respond with this.
        body: body ?? JSON.stringify({ id: resourceId }),
        resource_id: body === undefined ? resourceId : '',
        number,
        bytes_before: bytesBefore,
      };
      later(db.updateTable('idempotency_keys').set(kept).where('key', '=', key));
      const bytes = bytesBefore + responseBytes(answer);
      later(db.updateTable('idempotency_projects').set({ bytes }).where('project_id', '=', projectId));
    },

    release({ key, projectId, number }) {
      later(db.deleteFrom('idempotency_keys').where('key', '=', key));
      const before = { last_number: number - 1 };
      later(db.updateTable('idempotency_projects').set(before).where('project_id', '=', projectId));
    },

    async remove(which, most) {
      const { numDeletedRows } = await removal(db, which, most).executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    removeLater: (which, most) => later(removal(db, which, most)),
  };
}
