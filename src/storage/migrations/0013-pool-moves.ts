import type { Kysely } from 'kysely';
import type { Flavour } from '../database/flavour.ts';

/**
 * The pool that a zone is being moved to, and the serial that the servers there need to have before the next step. The name
 * servers of the option `ns_records`, which all processes go by.
 */
export async function poolMoves(db: Kysely<unknown>, { text }: Flavour): Promise<void> {
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
