import { type Kysely, type Selectable, sql } from 'kysely';
import type { Fqdn } from '../dns/names.ts';
import type { Scope } from '../domain/acts/scope.ts';
import type { TransferReads, TransferWrites } from '../domain/transfers/store.ts';
import type {
  TransferAccept,
  TransferQuery,
  TransferRequest,
  TransferStatus,
} from '../domain/transfers/transfer.ts';
import type { OpenTransaction } from './database.ts';
import { flavourOf } from './flavour.ts';
import { cutPage, matchesFilter, paged, positionOf, requireMarker } from './lists.ts';
import type { Schema } from './schema.ts';

type RequestRow = Selectable<Schema['zone_transfer_requests']>;
type AcceptRow = Selectable<Schema['zone_transfer_accepts']>;

export function requestFrom(row: RequestRow): TransferRequest {
  return {
    id: row.id,
    zoneId: row.zone_id,
    zoneName: row.zone_name as Fqdn,
    projectId: row.project_id,
    targetProjectId: row.target_project_id,
    description: row.description,
    key: row.key,
    status: row.status as TransferStatus,
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

function requestsOf(db: Kysely<Schema>, scope: Scope) {
  const query = db.selectFrom('zone_transfer_requests');
  if (scope === 'all projects') return query;
  const { projectId } = scope;
  return query.where((eb) =>
    eb.or([eb('project_id', '=', projectId), eb('target_project_id', '=', projectId)]),
  );
}

function acceptsOf(db: Kysely<Schema>, scope: Scope) {
  const query = db.selectFrom('zone_transfer_accepts');
  return scope === 'all projects' ? query : query.where('project_id', '=', scope.projectId);
}

async function findRequest(db: Kysely<Schema>, id: string): Promise<TransferRequest | undefined> {
  const row = db.selectFrom('zone_transfer_requests').selectAll().where('id', '=', id);
  const found = await row.executeTakeFirst();
  return found && requestFrom(found);
}

const orderOf = ({ sortKey }: TransferQuery) => [sortKey, 'id'] as const;

function statusFilter({ filters }: TransferQuery) {
  return filters.status === undefined
    ? sql<boolean>`1 = 1`
    : matchesFilter(sql.ref('status'), filters.status);
}

export function transferReads(db: Kysely<Schema>): TransferReads {
  return {
    findRequest: (id) => findRequest(db, id),

    async listRequests(query, scope) {
      const all = requestsOf(db, scope).selectAll();
      const marked = query.marker === undefined ? undefined : all.where('id', '=', query.marker);
      const after = marked && positionOf(requireMarker(await marked.executeTakeFirst()), orderOf(query));
      const by = { columns: orderOf(query), direction: query.sortDir, after };
      const rows = await paged(all.where(statusFilter(query)), by)
        .limit(query.limit + 1)
        .execute();
      return cutPage(rows.map(requestFrom), query.limit);
    },

    async findAccept(id, scope) {
      const row = await acceptsOf(db, scope).selectAll().where('id', '=', id).executeTakeFirst();
      return row && acceptFrom(row);
    },

    async listAccepts(query, scope) {
      const all = acceptsOf(db, scope).selectAll();
      const marked = query.marker === undefined ? undefined : all.where('id', '=', query.marker);
      const after = marked && positionOf(requireMarker(await marked.executeTakeFirst()), orderOf(query));
      const by = { columns: orderOf(query), direction: query.sortDir, after };
      const rows = await paged(all.where(statusFilter(query)), by)
        .limit(query.limit + 1)
        .execute();
      return cutPage(rows.map(acceptFrom), query.limit);
    },
  };
}

export function transferWrites({ now: db, later }: OpenTransaction): TransferWrites {
  return {
    findRequest: (id) => findRequest(db, id),

    async lockRequest(id) {
      const query = db.selectFrom('zone_transfer_requests').selectAll().where('id', '=', id);
      const row = await query.modifyEnd(flavourOf(db).forUpdate).executeTakeFirst();
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
