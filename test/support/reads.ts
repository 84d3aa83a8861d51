import type { Kysely } from 'kysely';
import type { DatabaseReads } from '../../src/storage/database/database.ts';
import type { Schema } from '../../src/storage/database/schema.ts';

/** All reads on one connection. */
export function readsOver(db: Kysely<Schema>): DatabaseReads {
  return { reader: db, longReads: () => db };
}
