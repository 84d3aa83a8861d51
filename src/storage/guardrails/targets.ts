/** The index of the names that recordsets point at. It has no rows for recordsets that the service manages. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPointingType, POINTING_TYPES, targetsOf } from '../../model/guardrails/targets.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { dialectOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { preparedList } from '../lists/prepared-list.ts';

const COLUMNS = ['key', 'recordset_id', 'zone_id', 'target', 'type'] as const;

type NewRow = Readonly<Record<(typeof COLUMNS)[number], string>>;

export type PointingRecordset = Pick<Recordset, 'id' | 'zoneId' | 'name' | 'type' | 'records' | 'managed'>;

/** Whether the index has rows for a recordset. */
export function isIndexed({ type, managed }: Pick<Recordset, 'type' | 'managed'>): boolean {
  return !managed && isPointingType(type);
}

/** The condition on recordsets that the index has rows for. */
export const IS_INDEXED = sql<boolean>`(recordsets.managed = 0
  and recordsets.type in (${sql.join(POINTING_TYPES.map((type) => sql.lit(type)))}))`;

function rowsOf(recordset: PointingRecordset): readonly NewRow[] {
  if (!isIndexed(recordset)) return [];
  const { id, zoneId, type } = recordset;
  return targetsOf(recordset).map((target) => ({
    key: `${id} ${target}`,
    recordset_id: id,
    zone_id: zoneId,
    target,
    type,
  }));
}

/** A restored recordset may have rows left by a version that does not delete them. */
const inserted = prepared<readonly NewRow[]>((db, slot) => {
  const rows = dialectOf(db).textRows(COLUMNS, sql`${slot((all) => JSON.stringify(all))}`);
  return sql`insert into record_targets (key, recordset_id, project_id, target, type)
    select given.key, given.recordset_id, zones.project_id, given.target, given.type
    from ${rows} as given inner join zones on zones.id = given.zone_id where true
    on conflict (key) do update set project_id = excluded.project_id`;
});

/** The statement that indexes recordsets of stored zones; undefined if none of them points at a name. */
export function targetsInserted(db: Kysely<Schema>, recordsets: readonly PointingRecordset[]) {
  const rows = recordsets.flatMap(rowsOf);
  return rows.length === 0 ? undefined : inserted(db, rows);
}

export const targetsRemoved = preparedList<string, never>((db, ids) =>
  db.deleteFrom('record_targets').where('recordset_id', 'in', ids),
);

/** Whether two states of a recordset point at the same names. */
export function haveSameTargets(one: PointingRecordset, other: PointingRecordset): boolean {
  const targets = targetsOf(one);
  const others = new Set(targetsOf(other));
  return targets.length === others.size && targets.every((target) => others.has(target));
}

/** The condition on rows of the index that belong to one batch of a zone's recordsets. */
export function targetsOfBatch(batch: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql<boolean>`record_targets.recordset_id in (select id from recordsets where ${batch})`;
}

export interface IndexedTarget {
  readonly recordset_id: string;
  readonly project_id: string;
  readonly target: string;
}

/** Rows of the index, each as its owner and its target, by the id of the recordset. */
export function textsByRecordset(rows: readonly IndexedTarget[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { recordset_id: id, project_id, target } of rows)
    found.set(id, (found.get(id) ?? new Set()).add(`${project_id} ${target}`));
  return found;
}

/** Whether the index has exactly the targets of a recordset. @param owner the owner of its zone, if there is one */
export function isIndexedAs(
  recordset: PointingRecordset,
  owner: string | undefined,
  texts: ReadonlySet<string> = new Set(),
): boolean {
  const targets = owner === undefined ? [] : targetsOf(recordset);
  return targets.length === texts.size && targets.every((target) => texts.has(`${owner} ${target}`));
}
