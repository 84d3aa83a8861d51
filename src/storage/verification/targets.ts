/** Compares the index of targets with the recordsets, and corrects it zone by zone. */
import { type Kysely, sql } from 'kysely';
import { dialectOf } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import { pointingFromRow } from '../guardrails/target-index.ts';
import {
  type IndexedTarget,
  IS_INDEXED,
  isIndexed,
  isIndexedAs,
  targetsInserted,
  targetsOfBatch,
  textsByRecordset,
} from '../guardrails/targets.ts';
import type { RecordsetRow } from '../recordsets/rows.ts';
import { batchesOfZone } from '../recordsets/zone-batches.ts';

async function indexedTexts(db: Kysely<Schema>, ids: string): Promise<ReadonlyMap<string, Set<string>>> {
  const texts = dialectOf(db).jsonTexts(sql`${ids}`);
  const { rows } = await sql<IndexedTarget>`select recordset_id, target, project_id from record_targets
    where recordset_id in (select record.value from ${texts})`.execute(db);
  return textsByRecordset(rows);
}

async function ownersOf(db: Kysely<Schema>, zoneIds: string): Promise<ReadonlyMap<string, string>> {
  const texts = dialectOf(db).jsonTexts(sql`${zoneIds}`);
  const { rows } = await sql<{ id: string; project_id: string }>`select id, project_id from zones
    where id in (select record.value from ${texts})`.execute(db);
  return new Map(rows.map(({ id, project_id }) => [id, project_id]));
}

/** The ids of the recordsets for which the index is wrong; none while it is being built. */
export async function wronglyIndexed(
  db: Kysely<Schema>,
  rows: readonly RecordsetRow[],
): Promise<ReadonlySet<string>> {
  const pointing = rows.filter(({ type, managed }) => isIndexed({ type, managed: managed === 1 }));
  const state = await db.selectFrom('target_index').select('passes').executeTakeFirst();
  if (pointing.length === 0 || state?.passes === 0) return new Set();
  const found = await indexedTexts(db, JSON.stringify(pointing.map(({ id }) => id)));
  const owners = await ownersOf(db, JSON.stringify([...new Set(pointing.map((row) => row.zone_id))]));
  const wrong = pointing.filter((row) => {
    return !isIndexedAs(pointingFromRow(row), owners.get(row.zone_id), found.get(row.id));
  });
  return new Set(wrong.map(({ id }) => id));
}

/** Indexes the recordsets of a zone afresh. */
export async function reindexTargets(db: Kysely<Schema>, zoneId: string): Promise<void> {
  for await (const batch of batchesOfZone(db, zoneId)) {
    await db.deleteFrom('record_targets').where(targetsOfBatch(batch)).execute();
    const rows = await db.selectFrom('recordsets').selectAll().where(batch).where(IS_INDEXED).execute();
    const statement = targetsInserted(db, rows.map(pointingFromRow));
    if (statement !== undefined) await db.executeQuery(statement);
  }
}
