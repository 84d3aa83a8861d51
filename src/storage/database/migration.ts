import type { Kysely } from 'kysely';
import type { Dialect } from './dialect.ts';

/** A step of the schema. */
export interface Migration {
  /** Each version has one migration. */
  readonly version: number;
  /** The oldest schema version whose program can still work on the database after this migration. */
  readonly oldestReader: number;
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>;
}
