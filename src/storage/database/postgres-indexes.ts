import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** True if PostgreSQL has the index, completely built. */
export function isBuilt(index: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from pg_index where indexrelid = to_regclass(${sql.lit(index)}) and indisvalid)`;
}

export async function hasIndex(db: Kysely<Schema>, index: string): Promise<boolean> {
  const { rows } = await sql<{ complete: boolean }>`select ${isBuilt(index)} as complete`.execute(db);
  return rows[0]?.complete === true;
}
