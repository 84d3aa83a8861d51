import { type Selectable, sql } from 'kysely';
import type { ServiceStatus, ServiceStatusQuery } from '../model/service-statuses/service-status.ts';
import type { ServiceStatusReads, ServiceStatusWrites } from '../model/service-statuses/store.ts';
import type { DatabaseReads, OpenTransaction } from './database/database.ts';
import type { Schema } from './database/schema.ts';
import { filterOn } from './lists/list-conditions.ts';
import { type Listing, listsOf } from './lists/lists.ts';

type ServiceStatusRow = Selectable<Schema['service_statuses']>;

function statusOf(row: ServiceStatusRow, silentBefore: string): ServiceStatus['status'] {
  return row.heartbeated_at < silentBefore ? 'DOWN' : row.status;
}

/** Rows of earlier versions have no jobs. */
function jobsOf(stats: string): ServiceStatus['jobs'] {
  const { jobs = {} } = JSON.parse(stats) as { readonly jobs?: ServiceStatus['jobs'] };
  return jobs;
}

function fromRow(row: ServiceStatusRow, silentBefore: string): ServiceStatus {
  return {
    id: row.id,
    serviceName: row.service_name,
    hostname: row.hostname,
    status: statusOf(row, silentBefore),
    jobs: jobsOf(row.stats),
    heartbeatedAt: row.heartbeated_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
  };
}

function toRow(status: ServiceStatus): ServiceStatusRow {
  return {
    id: status.id,
    service_name: status.serviceName,
    hostname: status.hostname,
    status: status.status,
    stats: JSON.stringify({ jobs: status.jobs }),
    capabilities: '{}',
    heartbeated_at: status.heartbeatedAt,
    created_at: status.createdAt,
    updated_at: status.updatedAt ?? '',
  };
}

/** The list at a time, which decides what is DOWN. */
function listingAt(silentBefore: string): Listing<ServiceStatusQuery, void, ServiceStatusRow, ServiceStatus> {
  const status = sql`case when heartbeated_at < ${silentBefore} then 'DOWN' else status end`;
  return {
    table: 'service_statuses',
    order: {
      created_at: ['created_at'],
      updated_at: ['updated_at'],
      id: [],
      hostname: ['hostname'],
      service_name: ['service_name'],
      status: [{ expression: status, of: (row) => statusOf(row, silentBefore) }],
    },
    indexed: [],
    filters: {
      hostname: filterOn('hostname'),
      service_name: filterOn('service_name'),
      status: filterOn(status),
    },
    within: () => sql`true`,
    fromRow: (row) => fromRow(row, silentBefore),
  };
}

export function serviceStatusReads(reads: DatabaseReads): ServiceStatusReads {
  const { reader: db } = reads;
  return {
    list: (query, { silentBefore }, onBehalfOf) =>
      listsOf(reads, listingAt(silentBefore)).list(query, undefined, onBehalfOf),

    async find(id, silentBefore) {
      const row = await db.selectFrom('service_statuses').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row, silentBefore);
    },
  };
}

export function serviceStatusWrites({ now: db, later }: OpenTransaction): ServiceStatusWrites {
  return {
    put(statuses) {
      for (const { id, ...columns } of statuses.map(toRow)) {
        later(
          db
            .insertInto('service_statuses')
            .values({ id, ...columns })
            .onConflict((conflict) => conflict.column('id').doUpdateSet(columns)),
        );
      }
    },

    removeSilent: (before) => later(db.deleteFrom('service_statuses').where('heartbeated_at', '<', before)),
  };
}
