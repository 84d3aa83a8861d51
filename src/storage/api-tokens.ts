import { type Kysely, type Selectable, sql } from 'kysely';
import type { ApiToken, ApiTokenQuery } from '../model/tokens/api-token.ts';
import type { ApiTokenReads, ApiTokenWrites } from '../model/tokens/store.ts';
import { dataLoader } from '../runtime/data-loader.ts';
import type { DatabaseReads, OpenTransaction } from './database/database.ts';
import { dialectOf } from './database/dialect.ts';
import type { Schema } from './database/schema.ts';
import { filterOn } from './lists/list-conditions.ts';
import { type Listing, listsOf } from './lists/lists.ts';
import { preparedList } from './lists/prepared-list.ts';

/** Number of tokens in a batch of a stream. */
const BATCH = 500;
/** Maximum number of tokens in one statement. */
const MAX_AT_ONCE = 64;

type ApiTokenRow = Selectable<Schema['api_tokens']>;

export function tokenFromRow(row: ApiTokenRow): ApiToken {
  return {
    id: row.id,
    hash: row.hash,
    projectId: row.project_id,
    userId: row.user_id,
    roles: JSON.parse(row.roles),
    createdAt: row.created_at,
    expiresAt: row.expires_at || null,
    description: row.description,
  };
}

function toRow(token: ApiToken): ApiTokenRow {
  return {
    id: token.id,
    hash: token.hash,
    project_id: token.projectId,
    user_id: token.userId,
    roles: JSON.stringify(token.roles),
    created_at: token.createdAt,
    expires_at: token.expiresAt ?? '',
    description: token.description,
  };
}

const found = preparedList<string, ApiTokenRow>((db, places) =>
  db.selectFrom('api_tokens').selectAll().where('id', 'in', places),
);

async function findAll(db: Kysely<Schema>, ids: readonly string[]): Promise<ReadonlyMap<string, ApiToken>> {
  const { rows } = await db.executeQuery(found(db, ids));
  return new Map(rows.map((row) => [row.id, tokenFromRow(row)]));
}

async function isEmpty(db: Kysely<Schema>): Promise<boolean> {
  return (await db.selectFrom('api_tokens').select('id').limit(1).executeTakeFirst()) === undefined;
}

const TOKENS: Listing<ApiTokenQuery, void, ApiTokenRow, ApiToken> = {
  table: 'api_tokens',
  order: {
    created_at: ['created_at'],
    expires_at: ['expires_at'],
    id: [],
    project_id: ['project_id'],
    user_id: ['user_id'],
  },
  indexed: ['id'],
  filters: { project_id: filterOn('project_id'), user_id: filterOn('user_id') },
  within: () => sql`true`,
  fromRow: tokenFromRow,
};

export function apiTokenReads(reads: DatabaseReads): ApiTokenReads {
  const { reader: db } = reads;
  const { list, stream } = listsOf(reads, TOKENS);
  return {
    list,

    stream: (query, onBehalfOf) => stream(query, undefined, onBehalfOf, BATCH),

    // Every request looks up its token.
    find: dataLoader(MAX_AT_ONCE, (ids: readonly string[]) => findAll(db, ids)),

    isEmpty: () => isEmpty(db),
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
      await row.modifyEnd(dialectOf(db).forUpdate).execute();
      return isEmpty(db);
    },
  };
}
