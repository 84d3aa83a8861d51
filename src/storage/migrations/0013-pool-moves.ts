import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/**
 * The pool to which a zone is being moved, and the serial that its servers need before the next step. The name
 * servers of the option `ns_records`, which all processes use.
 */
export async function poolMoves(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema
    .alterTable('publications')
    .addColumn('moving', text, (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema
    .alterTable('publications')
    .addColumn('moving_serial', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('pools')
    .addColumn('option_ns_records', text, (column) => column.notNull().defaultTo(''))
    .execute();
}
