import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type MetricsReads,
  NEAR,
  type OrderCounts,
  type ProjectCounts,
  type WebhookMetrics,
} from '../model/metrics/store.ts';
import { UNLIMITED } from '../model/quotas/quota.ts';
import type { DatabaseReads } from './database/database.ts';
import { dialectOf } from './database/dialect.ts';
import type { Schema } from './database/schema.ts';
import { due } from './secondaries/due.ts';

/** The project of these reads. No tenant has this name, so they take turns with every tenant's reads. */
const NOBODY = '';

/** A condition by which a read of a whole table can be ended at its time limit. */
function endable(db: Kysely<Schema>, table: string): RawBuilder<boolean> {
  const check = dialectOf(db).timeCheck?.row(table);
  return check === undefined ? sql<boolean>`true` : sql<boolean>`${check}`;
}

async function projectCounts(db: Kysely<Schema>): Promise<ProjectCounts> {
  const { rows } = await sql<{ projects: number; zones: number; recordsets: number }>`
    select count(*) as projects, coalesce(sum(zones), 0) as zones, coalesce(sum(recordsets), 0) as recordsets
    from projects where ${endable(db, 'projects')}`.execute(db);
  const { projects, zones, recordsets } = rows[0]!;
  return { projects: Number(projects), zones: Number(zones), recordsets: Number(recordsets) };
}

/** Counts the open orders. An order whose change is on enough servers may wait for the rest: it is not stuck. */
async function orderCounts(db: Kysely<Schema>): Promise<OrderCounts> {
  const isBehind = sql`(removal = 1 or published_serial is null or published_serial <> serial)`;
  const { rows } = await sql<{ waiting: number; failing: number; oldest: string | null }>`
    select count(*) as waiting, sum(case when error <> '' then 1 else 0 end) as failing,
      min(case when pending_since <> '' and ${isBehind} then pending_since end) as oldest
    from publications where due_at <> '' and ${endable(db, 'publications')}`.execute(db);
  const { waiting, failing, oldest } = rows[0]!;
  return { waiting: Number(waiting), failing: Number(failing ?? 0), oldest: oldest ?? '' };
}

async function webhookMetrics(db: Kysely<Schema>): Promise<readonly WebhookMetrics[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['name', 'position', 'stopped'])
    .select((eb) => eb.selectFrom('event_head').select('position').as('head'))
    .execute();
  return rows.map(({ name, position, stopped, head }) => ({
    name,
    waiting: Math.max(0, (head ?? 0) - position),
    isStopped: stopped === 1,
  }));
}

/** Counts the rows whose usage is near the limit (at least NEAR % of it), and those at the limit. */
function countsOf(key: string, usage: string, limit: string) {
  const [used, most] = [sql.ref(usage), sql.ref(limit)];
  const isLimited = sql`${most} <> ${sql.lit(UNLIMITED)}`;
  const isNear = sql`${used} * 100 >= ${most} * ${sql.lit(NEAR)} and ${used} < ${most}`;
  return sql`
    sum(case when ${isLimited} and ${isNear} then 1 else 0 end) as ${sql.ref(`${key}_near`)},
    sum(case when ${isLimited} and ${used} >= ${most} then 1 else 0 end) as ${sql.ref(`${key}_at`)}`;
}

/** The metrics of the whole store, as long reads. */
export function metricsReads({ reader, longReads }: DatabaseReads): MetricsReads {
  const db = longReads(NOBODY);
  return {
    projects: () => projectCounts(db),

    async waiting(now) {
      const { revision } = await reader
        .selectFrom('blacklist_revision')
        .select('revision')
        .executeTakeFirstOrThrow();
      const orders = await orderCounts(db);
      const unsealed = await db
        .selectFrom('event_queue')
        .select(({ fn }) => fn.countAll<number>().as('events'))
        .executeTakeFirstOrThrow();
      const secondaries = await due(db, now)
        .select(({ fn }) => fn.countAll<number>().as('due'))
        .executeTakeFirstOrThrow();
      return {
        revision,
        orders,
        webhooks: await webhookMetrics(reader),
        eventsUnsealed: Number(unsealed.events),
        secondariesDue: Number(secondaries.due),
      };
    },

    async nearLimits(defaults, maxZoneSize) {
      const limit = (column: string, byDefault: number) =>
        sql`coalesce(${sql.ref(column)}, cast(${byDefault} as bigint))`;
      const { rows } = await sql<Record<string, number | null>>`
        select ${sql.join([
          countsOf('zones', 'zones', 'zones_limit'),
          countsOf('zone_recordsets', 'zone_recordsets', 'recordsets_limit'),
          countsOf('zone_records', 'zone_records', 'records_limit'),
          countsOf('zone_size', 'zone_bytes', 'size_limit'),
        ])}
        from (
          select projects.zones, project_usage.zone_recordsets, project_usage.zone_records, project_usage.zone_bytes,
            ${limit('quota_zones', defaults.zones)} as zones_limit,
            ${limit('quota_zone_recordsets', defaults.zone_recordsets)} as recordsets_limit,
            ${limit('quota_zone_records', defaults.zone_records)} as records_limit,
            cast(${maxZoneSize} as bigint) as size_limit
          from projects left join project_usage on project_usage.id = projects.project_id
          where ${endable(db, 'projects')}
        ) as measured`.execute(db);
      const found = rows[0]!;
      const pair = (key: string) => ({
        near: Number(found[`${key}_near`] ?? 0),
        at: Number(found[`${key}_at`] ?? 0),
      });
      return {
        zones: pair('zones'),
        zone_recordsets: pair('zone_recordsets'),
        zone_records: pair('zone_records'),
        zone_size: pair('zone_size'),
      };
    },
  };
}
