import { type Kysely, sql } from 'kysely';
import { type Fqdn, subtreeKey } from '../dns/names.ts';
import type { Scope } from '../domain/acts/scope.ts';
import type { RecordsetQuery } from '../domain/recordsets/recordset.ts';
import { flavourOf } from './flavour.ts';
import { matchesFilter } from './lists.ts';
import type { Schema } from './schema.ts';

export type Within = Scope | { readonly zoneId: string };

/** The recordsets of one project, of one zone or of all, with their zones. */
export function within(db: Kysely<Schema>, scope: Within) {
  const query = db.selectFrom('recordsets').innerJoin('zones', 'zones.id', 'recordsets.zone_id');
  if (scope === 'all projects') return query;
  if ('zoneId' in scope) return query.where('recordsets.zone_id', '=', scope.zoneId);
  return query.where('recordsets.project_id', '=', scope.projectId);
}

/**
 * The same for recordsets of one name. There are few of them, so they are to be found by the name: in an expression the
 * owner has no index that the database could go by instead, through all that the owner has.
 */
function namedWithin(db: Kysely<Schema>, scope: Within) {
  const query = within(db, 'all projects');
  if (scope === 'all projects') return query;
  const [column, owner] =
    'zoneId' in scope ? ['recordsets.zone_id', scope.zoneId] : ['recordsets.project_id', scope.projectId];
  return query.where(sql<boolean>`coalesce(${sql.ref(column!)}, '') = ${owner}`);
}

/** Whether one of the records is the text, where `*` stands for any text. */
function holdsRecord(db: Kysely<Schema>, text: string) {
  const records = flavourOf(db).jsonTexts(sql.ref('recordsets.records'));
  return sql<boolean>`exists (select 1 from ${records} where ${matchesFilter(sql.ref('record.value'), text)})`;
}

function condition(db: Kysely<Schema>, filter: string, text: string) {
  if (filter === 'data') return holdsRecord(db, text);
  if (filter === 'ttl') return matchesFilter(sql`cast(recordsets.ttl as text)`, text);
  // Whatever is committed is published: there are no name servers to wait for.
  if (filter === 'status') return matchesFilter(sql`'ACTIVE'`, text);
  if (filter === 'action') return matchesFilter(sql`'NONE'`, text);
  const column = sql.ref(`recordsets.${filter}`);
  if (filter !== 'name' || text.includes('*')) return matchesFilter(column, text);
  return sql<boolean>`(${column} = ${text} and recordsets.subtree_key = ${subtreeKey(text as Fqdn)})`;
}

/** The recordsets within a scope that match the filters, with their zones. */
export function matching(db: Kysely<Schema>, filters: RecordsetQuery['filters'], scope: Within) {
  const isNamed = filters.name?.includes('*') === false;
  return Object.entries(filters).reduce(
    (query, [filter, text]) => query.where(condition(db, filter, text)),
    isNamed ? namedWithin(db, scope) : within(db, scope),
  );
}
