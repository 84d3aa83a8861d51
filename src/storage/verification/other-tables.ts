import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { VerificationReads } from '../../model/verification/stored.ts';
import { tokenFromRow } from '../api-tokens.ts';
import { isObject, parsed } from '../database/readable.ts';
import type { Schema } from '../database/schema.ts';
import { headOf } from '../events/events.ts';
import { sealedFromRow } from '../events/rows.ts';
import { allPools } from '../pools/pools.ts';
import { shareFrom } from '../shares.ts';
import { acceptFrom, requestFrom } from '../transfers.ts';
import { tsigKeysWithResource } from '../tsig-keys.ts';
import { taskFromRow } from '../zone-tasks.ts';
import { findStrayOrders } from './stray-orders.ts';

const PAGE = 1000;

type OtherTableReads = Pick<
  VerificationReads,
  | 'transferRequests'
  | 'transferAccepts'
  | 'shares'
  | 'zoneTasks'
  | 'tokens'
  | 'answers'
  | 'events'
  | 'waitingEvents'
  | 'eventHead'
  | 'pools'
  | 'strayOrders'
  | 'tsigKeys'
>;

function readsAsTexts(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((one) => typeof one === 'string');
  } catch {
    return false;
  }
}

function readsAsScope(text: string): boolean {
  return text === '' || isObject(parsed(text));
}

function readsAsObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    return Object.values(value).every((one) => typeof one === 'string');
  } catch {
    return false;
  }
}

/** Number of recordsets that the target of a share has in its zone. */
export function recordsetsOfShare(share: string): RawBuilder<number> {
  const of = (column: string) => sql.ref(`${share}.${column}`);
  return sql`(select count(*) from recordsets where recordsets.zone_id = ${of('zone_id')}
    and recordsets.project_id = ${of('target_project_id')} and recordsets.managed = 0)`;
}

/** Reads everything except zones, in id order. */
export function otherTableReads(db: Kysely<Schema>): OtherTableReads {
  return {
    pools: () => allPools(db),

    strayOrders: (after) => findStrayOrders(db, after),
    tsigKeys: (after) => tsigKeysWithResource(db, after, PAGE),

    async transferRequests(after) {
      const rows = await db
        .selectFrom('zone_transfer_requests as request')
        .leftJoin('zones', 'zones.id', 'request.zone_id')
        .selectAll('request')
        .select('zones.project_id as owner')
        .where('request.id', '>', after?.request.id ?? '')
        .orderBy('request.id')
        .limit(PAGE)
        .execute();
      return rows.map((row) => ({ request: requestFrom(row), owner: row.owner ?? undefined }));
    },

    async transferAccepts(after) {
      const rows = await db
        .selectFrom('zone_transfer_accepts')
        .selectAll()
        .where('id', '>', after?.id ?? '')
        .orderBy('id')
        .limit(PAGE)
        .execute();
      return rows.map(acceptFrom);
    },

    async shares(after) {
      const rows = await db
        .selectFrom('zone_shares as share')
        .leftJoin('zones', 'zones.id', 'share.zone_id')
        .selectAll('share')
        .select(['zones.project_id as owner', recordsetsOfShare('share').as('counted')])
        .where('share.id', '>', after?.share.id ?? '')
        .orderBy('share.id')
        .limit(PAGE)
        .execute();
      return rows.map((row) => {
        const readable = readsAsScope(row.scope);
        const share = shareFrom(readable ? row : { ...row, scope: '' });
        return { share, readable, owner: row.owner ?? undefined, counted: Number(row.counted) };
      });
    },

    async zoneTasks(after) {
      const query = db.selectFrom('zone_tasks').selectAll().orderBy('id').limit(PAGE);
      return (await query.where('id', '>', after?.id ?? '').execute()).map(taskFromRow);
    },

    async tokens(after) {
      const query = db.selectFrom('api_tokens').selectAll().orderBy('id').limit(PAGE);
      const rows = await query.where('id', '>', after?.token.id ?? '').execute();
      return rows.map((row) => {
        const readable = readsAsTexts(row.own_roles || row.roles) && readsAsScope(row.scope);
        const whole = readable ? row : { ...row, roles: '[]', own_roles: '', scope: '' };
        return { token: tokenFromRow(whole), readable };
      });
    },

    async answers(after) {
      const rows = await db
        .selectFrom('idempotency_keys')
        .select(['key', 'body_hash', 'status', 'headers', 'created_at'])
        .select(sql<number>`length(body)`.as('length'))
        .where('key', '>', after?.key ?? '')
        .orderBy('key')
        .limit(PAGE)
        .execute();
      return rows.map((row) => ({
        key: row.key,
        bodyHash: row.body_hash,
        status: row.status,
        createdAt: row.created_at,
        readable: row.length > 0 && readsAsObject(row.headers),
      }));
    },

    async events(after) {
      const query = db.selectFrom('events').selectAll().orderBy('position').limit(PAGE);
      const rows = await (after === undefined
        ? query
        : query.where('position', '>', after.position)
      ).execute();
      return rows.map(sealedFromRow);
    },

    async waitingEvents(after) {
      const query = db.selectFrom('event_queue').selectAll().orderBy('id').limit(PAGE);
      return query.where('id', '>', after?.id ?? '').execute();
    },

    eventHead: () => headOf(db),
  };
}
