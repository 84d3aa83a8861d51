import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely';
import type { OpenTransaction } from './database.ts';
import { SqliteCompiler } from './limit.ts';
import type { Schema } from './schema.ts';

/** The store handles connections and transactions itself: kysely only builds and compiles. */
const DIALECTS = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  },
  postgresql: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
} satisfies Record<string, Dialect>;

/** Runs one statement. */
export type Execute = (query: CompiledQuery) => Promise<QueryResult<never>>;

/**
 * Kysely on top of a function that runs one statement. Kysely calls `execute` synchronously for each statement, so
 * statements keep the order in which they are executed.
 */
export function kyselyOver(kind: keyof typeof DIALECTS, execute: Execute): Kysely<Schema> {
  const dialect = DIALECTS[kind];
  const connection: DatabaseConnection = {
    executeQuery: execute as DatabaseConnection['executeQuery'],
    // biome-ignore lint/correctness/useYield: kysely's interface has it; lists page by keyset instead of streaming rows
    async *streamQuery() {
      throw new Error('This store uses keyset pagination and never streams rows.');
    },
  };
  const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), {
    provideConnection: (consumer) => consumer(connection),
  });
  return new Kysely<Schema>({ config: { dialect }, dialect, driver: new DummyDriver(), executor });
}

/**
 * The statements of a transaction, on top of a function that runs one statement.
 * @param execute keeps the first failure, and rejects every later statement with it
 */
export function statementsOver(kind: keyof typeof DIALECTS, execute: Execute): OpenTransaction {
  return {
    now: kyselyOver(kind, execute),
    later(statement) {
      const query = 'compile' in statement ? statement.compile() : statement;
      execute(query).catch(() => {});
    },
    expect() {},
  };
}
