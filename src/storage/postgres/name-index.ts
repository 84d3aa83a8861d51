import pg from 'pg';
import type { BackgroundIndex } from '../../model/background-index.ts';
import { INDEX } from '../database/name-search-postgres.ts';
import { hasIndex } from '../database/postgres-indexes.ts';
import { indexBuilder } from './concurrent-index.ts';
import type { ConnectionPool } from './pool.ts';
import type { PostgresSettings } from './settings.ts';
import { readerOver } from './transactions.ts';

/** SQLSTATEs: no right to create the extension, extension not installed, or its schema is not in the search path. */
const UNAVAILABLE_CODES: readonly (string | undefined)[] = ['42501', '0A000', '58P01', '42704'];

/**
 * The `drop` removes the unused index of an interrupted attempt. Writers never wait for these statements, but they
 * search all pending entries of the index, hence the low limit.
 */
const STATEMENTS = [
  'create extension if not exists pg_trgm',
  `drop index concurrently if exists ${INDEX}`,
  `create index concurrently ${INDEX} on zones using gin (name gin_trgm_ops) with (gin_pending_list_limit = 1024)`,
];

/** The name index of a server, which maintains it once it exists. */
export function nameIndexOf(pool: ConnectionPool, settings: PostgresSettings): BackgroundIndex {
  const reader = readerOver(pool);
  const build = indexBuilder(pool, settings);

  return {
    isBehind: async () => !(await hasIndex(reader, INDEX)),
    async catchUp(signal) {
      try {
        await build(STATEMENTS, signal);
      } catch (error) {
        if (signal.aborted) return { more: false };
        if (!(error instanceof pg.DatabaseError) || !UNAVAILABLE_CODES.includes(error.code)) throw error;
        return { more: false, refusal: error.message };
      }
      return { more: false };
    },
  };
}
