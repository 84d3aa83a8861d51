import type { BackgroundIndex } from '../../model/background-index.ts';
import { hasIndex } from '../database/postgres-indexes.ts';
import { indexBuilder } from './concurrent-index.ts';
import type { ConnectionPool } from './pool.ts';
import type { PostgresSettings } from './settings.ts';
import { readerOver } from './transactions.ts';

interface Definition {
  readonly name: string;
  readonly columns: string;
  readonly where: string;
}

const MAY_EXPIRE = 'expires_at is not null and protected = 0';
const DEFINITIONS: readonly Definition[] = [
  { name: 'recordsets_protected', columns: 'zone_id', where: 'protected = 1' },
  { name: 'recordsets_expiring', columns: 'expires_at, id', where: MAY_EXPIRE },
  { name: 'recordsets_expiring_of_zone', columns: 'zone_id, expires_at', where: MAY_EXPIRE },
];

/** The `drop` removes the unused index of an interrupted attempt. */
function statementsFor({ name, columns, where }: Definition): readonly string[] {
  return [
    `drop index concurrently if exists ${name}`,
    `create index concurrently ${name} on recordsets (${columns}) where ${where}`,
  ];
}

/** The indexes of protected recordsets, and of those that expire, built one after another where they are missing. */
export function recordsetIndexesOf(pool: ConnectionPool, settings: PostgresSettings): BackgroundIndex {
  const reader = readerOver(pool);
  const build = indexBuilder(pool, settings);
  let missing = DEFINITIONS;
  return {
    async isBehind() {
      for (const first of missing) {
        if (!(await hasIndex(reader, first.name))) return true;
        missing = missing.slice(1);
      }
      return false;
    },
    async catchUp(signal) {
      try {
        for (const definition of missing) await build(statementsFor(definition), signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      return { more: false };
    },
  };
}
