import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { canonicalName } from '../dns/names.ts';
import type { Scope } from '../model/access/scope.ts';
import type { TransferReads, TransferWrites } from '../model/transfers/store.ts';
import type { TransferAccept, TransferQuery, TransferRequest } from '../model/transfers/transfer.ts';
import type { DatabaseReads, OpenTransaction } from './database/database.ts';
import { dialectOf } from './database/dialect.ts';
import type { Schema } from './database/schema.ts';
import { filterOn, inScope } from './lists/list-conditions.ts';
import { type Listing, listsOf } from './lists/lists.ts';

const ORDER = { created_at: ['created_at'], id: [], updated_at: ['updated_at'], status: ['status'] } as const;
const FILTERS = { status: filterOn('status') };

type RequestRow = Selectable<Schema['zone_transfer_requests']>;
type AcceptRow = Selectable<Schema['zone_transfer_accepts']>;

export function requestFrom(row: RequestRow): TransferRequest {
  return {
    id: row.id,
    zoneId: row.zone_id,
    zoneName: canonicalName(row.zone_name),
    projectId: row.project_id,
    targetProjectId: row.target_project_id,
    description: row.description,
    key: row.key,
    status: row.status,
    wrongKeys: row.wrong_keys,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
  };
}

function requestRow(request: TransferRequest): RequestRow {
  return {
    id: request.id,
    zone_id: request.zoneId,
    zone_name: request.zoneName,
    project_id: request.projectId,
    target_project_id: request.targetProjectId,
    description: request.description,
    key: request.key,
    status: request.status,
    wrong_keys: request.wrongKeys,
    created_at: request.createdAt,
    updated_at: request.updatedAt ?? '',
  };
}

export function acceptFrom(row: AcceptRow): TransferAccept {
  return {
    id: row.id,
    requestId: row.zone_transfer_request_id,
    zoneId: row.zone_id,
    projectId: row.project_id,
    key: row.key,
    createdAt: row.created_at,
  };
}

/** Requests that the scope's project created, and requests that name it as their target. */
function requestsWithin(scope: Scope): RawBuilder<boolean> {
  if (scope === 'all projects') return inScope(scope);
  return sql`(${inScope(scope)} or ${inScope(scope, 'target_project_id')})`;
}

const REQUESTS: Listing<TransferQuery, Scope, RequestRow, TransferRequest> = {
  table: 'zone_transfer_requests',
  order: ORDER,
  // A project's requests are found by either of two columns, and then sorted.
  indexed: [],
  alwaysTaken: ['created_at'],
  filters: FILTERS,
  within: requestsWithin,
  fromRow: requestFrom,
};

const ACCEPTS: Listing<TransferQuery, Scope, AcceptRow, TransferAccept> = {
  table: 'zone_transfer_accepts',
  order: ORDER,
  indexed: ['created_at'],
  filters: FILTERS,
  within: (scope) => inScope(scope),
  fromRow: acceptFrom,
};

async function findRequest(db: Kysely<Schema>, id: string): Promise<TransferRequest | undefined> {
  const row = db.selectFrom('zone_transfer_requests').selectAll().where('id', '=', id);
  const found = await row.executeTakeFirst();
  return found && requestFrom(found);
}

export function transferReads(reads: DatabaseReads): TransferReads {
  const { reader: db } = reads;
  return {
    requests: { find: (id) => findRequest(db, id), ...listsOf(reads, REQUESTS) },

    accepts: {
      async find(id, scope) {
        const query = db.selectFrom('zone_transfer_accepts').selectAll().where('id', '=', id);
        const row = await query.where(inScope(scope)).executeTakeFirst();
        return row && acceptFrom(row);
      },

      ...listsOf(reads, ACCEPTS),
    },
  };
}

export function transferWrites({ now: db, later }: OpenTransaction): TransferWrites {
  return {
    findRequest: (id) => findRequest(db, id),

    async lockRequest(id) {
      const query = db.selectFrom('zone_transfer_requests').selectAll().where('id', '=', id);
      const row = await query.modifyEnd(dialectOf(db).forUpdate).executeTakeFirst();
      return row && requestFrom(row);
    },

    async insertRequest(request) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('zone_transfer_requests')
        .values(requestRow(request))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    updateRequest(request) {
      const { id, ...columns } = requestRow(request);
      later(db.updateTable('zone_transfer_requests').set(columns).where('id', '=', id));
    },

    removeRequest: (id) => later(db.deleteFrom('zone_transfer_requests').where('id', '=', id)),

    insertAccept(accept) {
      const row = {
        id: accept.id,
        zone_transfer_request_id: accept.requestId,
        zone_id: accept.zoneId,
        project_id: accept.projectId,
        key: accept.key,
        status: 'COMPLETE',
        created_at: accept.createdAt,
        updated_at: '',
      };
      later(db.insertInto('zone_transfer_accepts').values(row));
    },

    keepNewest(projectId, count) {
      for (const table of ['zone_transfer_requests', 'zone_transfer_accepts'] as const) {
        const beyond = db
          .selectFrom(table)
          .select('id')
          .where('project_id', '=', projectId)
          .where('status', '<>', 'ACTIVE')
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(count)
          .offset(count);
        later(db.deleteFrom(table).where('id', 'in', beyond));
      }
    },
  };
}
