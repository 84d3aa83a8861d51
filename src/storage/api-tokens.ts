import type { Kysely, Selectable } from 'kysely';
import type { ApiToken } from '../domain/tokens/api-token.ts';
import type { ApiTokenReads, ApiTokenWrites } from '../domain/tokens/store.ts';
import type { OpenTransaction } from './database.ts';
import { flavourOf } from './flavour.ts';
import { prepared } from './prepared.ts';
import type { Schema } from './schema.ts';

type Row = Selectable<Schema['api_tokens']>;

export function tokenFromRow(row: Row): ApiToken {
  return {
    id: row.id,
    hash: row.hash,
    projectId: row.project_id,
    userId: row.user_id,
    roles: JSON.parse(row.roles),
    createdAt: row.created_at,
    expiresAt: row.expires_at || null,
  };
}

function toRow(token: ApiToken): Row {
  return {
    id: token.id,
    hash: token.hash,
    project_id: token.projectId,
    user_id: token.userId,
    roles: JSON.stringify(token.roles),
    created_at: token.createdAt,
    expires_at: token.expiresAt ?? '',
  };
}

const found = prepared<string, Row>((db, slot) =>
  db
    .selectFrom('api_tokens')
    .selectAll()
    .where(
      'id',
      '=',
      slot((id) => id),
    ),
);

export function apiTokenReads(db: Kysely<Schema>): ApiTokenReads {
  return {
    async find(id) {
      const row = (await db.executeQuery(found(db, id))).rows[0];
      return row && tokenFromRow(row);
    },

    async list() {
      const rows = await db
        .selectFrom('api_tokens')
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(tokenFromRow);
    },
  };
}

export function apiTokenWrites({ now: db, later }: OpenTransaction): ApiTokenWrites {
  return {
    insert: (token) => later(db.insertInto('api_tokens').values(toRow(token))),

    async remove(id) {
      const { numDeletedRows } = await db
        .deleteFrom('api_tokens')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },

    async lockEmpty() {
      const row = db.selectFrom('schema_version').select('version');
      await row.modifyEnd(flavourOf(db).forUpdate).execute();
      const any = await db.selectFrom('api_tokens').select('id').limit(1).executeTakeFirst();
      return any === undefined;
    },
  };
}
