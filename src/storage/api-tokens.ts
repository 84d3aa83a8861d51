import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { ApiToken, ApiTokenQuery, TokensWithin } from '../model/tokens/api-token.ts';
import type { ApiTokenReads, ApiTokenWrites } from '../model/tokens/store.ts';
import { dataLoader } from '../runtime/data-loader.ts';
import type { DatabaseReads, OpenTransaction } from './database/database.ts';
import { dialectOf } from './database/dialect.ts';
import type { Schema } from './database/schema.ts';
import { filterOn, isAmong } from './lists/list-conditions.ts';
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
    roles: JSON.parse(row.own_roles || row.roles),
    createdAt: row.created_at,
    expiresAt: row.expires_at || null,
    description: row.description,
    scope: row.scope === '' ? null : JSON.parse(row.scope),
    maxUnused: row.max_unused || null,
    ancestors: row.ancestors === '' ? [] : row.ancestors.split(' '),
    isCounted: row.counted === 1,
    lastUsedAt: row.last_used_at || null,
    lastUsedFrom: row.last_used_from || null,
  };
}

function toRow(token: ApiToken): ApiTokenRow {
  const roles = JSON.stringify(token.roles);
  const isLess = token.scope !== null || token.maxUnused !== null || token.ancestors.length > 0;
  return {
    id: token.id,
    hash: token.hash,
    project_id: token.projectId,
    user_id: token.userId,
    roles: isLess ? '[]' : roles,
    own_roles: isLess ? roles : '',
    created_at: token.createdAt,
    expires_at: token.expiresAt ?? '',
    description: token.description,
    scope: token.scope === null ? '' : JSON.stringify(token.scope),
    max_unused: token.maxUnused ?? 0,
    ancestors: token.ancestors.join(' '),
    counted: token.isCounted ? 1 : 0,
    last_used_at: token.lastUsedAt ?? '',
    last_used_from: token.lastUsedFrom ?? '',
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

/** When a token expires; after every time if never. As in its index. */
const LAST_MOMENT = sql<string>`(case when expires_at = '' then '~' else expires_at end)`;

async function findUnexpired(
  db: Kysely<Schema>,
  projectId: string,
  now: string,
  limit: number,
): Promise<readonly ApiToken[]> {
  const ofProject = db.selectFrom('api_tokens').selectAll().where('project_id', '=', projectId);
  const unexpired = ofProject.where(LAST_MOMENT, '>', now).orderBy(LAST_MOMENT, 'desc').orderBy('id', 'desc');
  return (await unexpired.limit(limit).execute()).map(tokenFromRow);
}

/** An id has only hexadecimal digits. */
function hasAncestor(id: string): RawBuilder<boolean> {
  return sql<boolean>`api_tokens.ancestors like ${`%${id}%`}`;
}

function tokensWithin(within: TokensWithin): RawBuilder<boolean> {
  if (within === undefined) return sql`true`;
  const { projectId, below } = within;
  const ofProject = sql<boolean>`api_tokens.project_id = ${projectId}`;
  if (below === undefined) return ofProject;
  return sql`(${ofProject} and (api_tokens.id = ${below} or ${hasAncestor(below)}))`;
}

const TOKENS: Listing<ApiTokenQuery, TokensWithin, ApiTokenRow, ApiToken> = {
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
  within: tokensWithin,
  fromRow: tokenFromRow,
};

export function apiTokenReads(reads: DatabaseReads): ApiTokenReads {
  const { reader: db } = reads;
  const { list, stream } = listsOf(reads, TOKENS);
  return {
    list,

    stream: (query, within, onBehalfOf) => stream(query, within, onBehalfOf, BATCH),

    // Every request looks up its token.
    find: dataLoader(MAX_AT_ONCE, (ids: readonly string[]) => findAll(db, ids)),

    isEmpty: () => isEmpty(db),

    unexpiredOf: (projectId, now, limit) => findUnexpired(db, projectId, now, limit),
  };
}

export function apiTokenWrites({ now: db, later }: OpenTransaction): ApiTokenWrites {
  async function removeAll(ids: readonly string[]): Promise<number> {
    const removal = db.deleteFrom('api_tokens').where(isAmong(db, 'id', ids));
    return Number((await removal.executeTakeFirstOrThrow()).numDeletedRows);
  }

  return {
    insert: (token) => later(db.insertInto('api_tokens').values(toRow(token))),

    async find(id) {
      return (await findAll(db, [id])).get(id);
    },

    async countedOf(projectId) {
      const ofProject = db.selectFrom('api_tokens').selectAll().where('project_id', '=', projectId);
      return (await ofProject.where('counted', '=', 1).execute()).map(tokenFromRow);
    },

    async descendantsOf({ id, projectId }) {
      const ofProject = db.selectFrom('api_tokens').selectAll().where('project_id', '=', projectId);
      return (await ofProject.where(hasAncestor(id)).execute()).map(tokenFromRow);
    },

    removeAll,
    remove: async (id) => (await removeAll([id])) === 1,

    noteUses(uses) {
      // In a fixed order, so that two processes do not deadlock.
      for (const { id, at, from } of [...uses].sort((one, other) => (one.id < other.id ? -1 : 1)))
        later(
          db
            .updateTable('api_tokens')
            .set({ last_used_at: at, last_used_from: from })
            .where('id', '=', id)
            .where('last_used_at', '<', at),
        );
    },

    async lockEmpty() {
      const row = db.selectFrom('schema_version').select('version');
      await row.modifyEnd(dialectOf(db).forUpdate).execute();
      return isEmpty(db);
    },
  };
}
