import type { Kysely } from 'kysely';
import { GATES } from '../zones/name-gates.ts';

/** The rows that serialize creates of zones: each is locked by one transaction at a time. */
export async function nameGates(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('name_gates')
    .addColumn('gate', 'integer', (column) => column.primaryKey())
    .execute();
  const rows = Array.from({ length: GATES }, (_, gate) => ({ gate }));
  await (db as Kysely<{ name_gates: { gate: number } }>).insertInto('name_gates').values(rows).execute();
}
