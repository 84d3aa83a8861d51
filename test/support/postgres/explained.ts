/** A server that logs how it goes about every statement, and what its log says. */
import pg from 'pg';
import { type PostgresServer, startPostgres } from './server.ts';

interface Step {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Subplan Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Step[];
}

/** A step of a plan as it was executed, with the rows that went into it. */
export interface ExecutedStep {
  readonly type: string;
  readonly table: string | undefined;
  readonly index: string | undefined;
  /** The rows that it read, those included that it did not take. */
  readonly rows: number;
}

export interface Executed {
  /** What was asked for at that time, as it was noted. */
  readonly during: string;
  readonly sql: string;
  readonly isGeneric: boolean;
  readonly steps: readonly ExecutedStep[];
}

export interface ExplainingServer {
  readonly server: PostgresServer;
  /** Runs statements in one transaction. */
  fill(statements: readonly string[]): Promise<void>;
  /** Writes into the log what is asked for from now on. */
  note(what: string): Promise<void>;
  /** The tables with more rows than that. */
  tablesOver(rows: number): Promise<ReadonlySet<string>>;
  /** Every statement since the first note, or since the last call, in order. */
  executed(): readonly Executed[];
  remove(): Promise<void>;
}

const SETTINGS = {
  fsync: 'off',
  autovacuum: 'off',
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': 0,
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
};
/** Marks the statements that the product does not send. */
const OWN = '/* of the test */';
const ENTRY =
  /(?:LOG: {2}noted: (?<note>[^\n]*)|LOG: {2}duration: [\d.]+ ms {2}plan:\n(?<plan>(?:\t[^\n]*\n)+))/g;

function stepsOf(step: Step): ExecutedStep[] {
  const { 'Actual Loops': loops, 'Actual Rows': own, Plans: plans = [] } = step;
  const isRead = step['Relation Name'] !== undefined || step['Index Name'] !== undefined;
  const removed = (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Index Recheck'] ?? 0);
  const below = plans.map((plan) => plan['Actual Rows'] * plan['Actual Loops']);
  const rows = isRead ? (own + removed) * loops : Math.max(0, ...below);
  const table = step['Relation Name'];
  const self = { type: step['Node Type'], table, index: step['Index Name'], rows };
  return [self, ...plans.flatMap(stepsOf)];
}

function entriesOf(log: string): readonly Executed[] {
  const found: Executed[] = [];
  let during: string | undefined;
  for (const { groups } of log.matchAll(ENTRY)) {
    during = groups!.note ?? during;
    if (groups!.plan === undefined || during === undefined) continue;
    const { 'Query Text': sql, Plan: plan } = JSON.parse(groups!.plan);
    if (sql.startsWith(OWN)) continue;
    found.push({ during, sql, isGeneric: /\$\d/.test(JSON.stringify(plan)), steps: stepsOf(plan) });
  }
  return found;
}

export async function startExplainingServer(database: string): Promise<ExplainingServer> {
  const server = await startPostgres({ settings: SETTINGS, asksNoPassword: true });
  await server.createDatabase(database);
  const client = new pg.Client({ connectionString: server.url(database) });
  let seen = 0;
  await client.connect();
  return {
    server,
    async fill(statements) {
      for (const statement of ['begin', ...statements, 'commit']) await client.query(statement);
    },
    note: async (what) =>
      void (await client.query(`do $$ begin raise log 'noted: %', ${pg.escapeLiteral(what)}; end $$`)),
    async tablesOver(most) {
      const found = await client.query(
        `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
      );
      const names = found.rows.map(({ relname }) => String(relname));
      const counted = names.map(
        (name) =>
          `select '${name}' as name from (select 1 from ${name} limit ${most + 1}) as found having count(*) > ${most}`,
      );
      const { rows } = await client.query(`${OWN} ${counted.join(' union all ')}`);
      return new Set(rows.map(({ name }) => String(name)));
    },
    executed() {
      const { log } = server;
      const entries = entriesOf(log.slice(seen));
      seen = log.length;
      return entries;
    },
    async remove() {
      await client.end();
      await server.remove();
    },
  };
}
