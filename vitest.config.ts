import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { MEMORY_FOLDER } from './test/support/memory-folder.ts';
import { findPooler, findPostgres } from './test/support/postgres/binaries.ts';

/**
 * What a run covers. `fast` (the default): the embedded database, and on PostgreSQL the tests in which the database can make the
 * difference. `full`: everything on both. `rest`: what `full` has and `fast` lacks, with as few generated cases as `fast`.
 */
const SCOPES = ['fast', 'full', 'rest'] as const;
const scope = SCOPES.find((one) => one === (process.env.TEST_SCOPE ?? 'fast'));
if (scope === undefined) throw new Error(`TEST_SCOPE is one of: ${SCOPES.join(', ')}.`);

/** Servers, connections and processes that fail or are replaced, and the plans of the whole API: minutes each, most of them spent waiting. */
const OF_FAILURES =
  'backup|commits|explained-api|failover|failures|full|idempotency-keys|list-races|metrics-while-down|pgbouncer|pgbouncer-troubles|previews|processes|rolling|sessions|update-failures|waiting';
/** SQL, locks and races: on PostgreSQL, a fast run has these alone. */
const OF_DATABASE = [
  'test/storage/{blacklist-rules,creates-together,deleted-zones,first-start,gone-back,guardrails,history,idempotency-keys,lists,narrowed-lists,previews,publications,staged-lists,transactions,write-lock,zone-changes}.test.ts',
  `test/storage/postgres/!(${OF_FAILURES}).test.ts`,
  'test/api/edge/lost-updates.test.ts',
  'test/api/quotas/quotas.test.ts',
  'test/api/zones/{creates-together,zones}.test.ts',
];
/** What the store and its database take part in. */
const OF_STORE = 'test/{api,cli,process,publisher/worker,storage,support/postgres}/**/*.test.ts';

/** Tests of what the file of the embedded database can suffer, and of how it is used. */
const OF_SQLITE = 'test/storage/sqlite/**';
/** Tests to which it makes no difference where the store is. */
const OF_NO_STORE = [
  'test/api/access/{access-matrix,narrower-tokens}.test.ts',
  'test/api/updates/narrower-keys.test.ts',
  'test/api/console.test.ts',
  'test/api/edge/{bodies,connections,decisions-wire,document,log,malformed,metrics-listener,openapi,openapi-client,private-answers}.test.ts',
  'test/cli/{config,pool-init,usage}.test.ts',
  'test/process/{build,gitops,hangup,loading,log-format,log-level,old-node,welcome}.test.ts',
];

/** What notes the functions that tests execute, where `npm run trial -- mutants` asks for it. */
const NOTING = process.env.EXECUTED_FILE === undefined ? [] : ['trials/mutants/executed.ts'];

/**
 * A few processes, each of which reads the program once and goes through file after file: every file has services, folders
 * and databases of its own, and shares nothing with another but the code.
 */
const shared = {
  testTimeout: 300_000,
  hookTimeout: 120_000,
  pool: 'forks' as const,
  // More than there are cores: some tests are always waiting for a time-out, or for a process to end.
  maxWorkers: availableParallelism() + 2,
  isolate: false,
  setupFiles: NOTING,
  // Most code runs a few times in a test: to optimise it as soon as usual costs more than it gains.
  // With the limit, garbage is collected sooner: no file needs nearly as much.
  execArgv: ['--interrupt-budget=1000000', '--max-old-space-size=1400'],
  env: MEMORY_FOLDER === undefined ? {} : { TMPDIR: MEMORY_FOLDER },
};
const elsewhere = [
  'test/clients/**',
  'test/console/**',
  'test/keystone/**',
  'test/designate/**',
  'test/name-servers/**',
  'test/tempest/**',
  'node_modules/**',
];

const pooler = findPooler();
const ofNoPooler = pooler === undefined ? ['test/storage/postgres/pgbouncer*.test.ts'] : [];

const hasServer = findPostgres() !== undefined;
/** Behaviour with very much stored, under many requests, or beside clients that stall: seconds of work for one bound each. */
const OF_LOAD = [
  'test/api/blacklists/{blacklist-imports-beside,patterns-long}.test.ts',
  'test/api/contents/large-contents.test.ts',
  'test/api/edge/{openapi-client,slow-reads,unread-answers}.test.ts',
  'test/api/events/histories.test.ts',
  'test/api/lists/slow-json-lines.test.ts',
  'test/api/zones/large-zones.test.ts',
  'test/domain/past-zone-memory.test.ts',
  'test/identity/keystone/strangers.test.ts',
  'test/matcher/index-traits-budget.test.ts',
  'test/metrics/cardinality.test.ts',
  'test/storage/periodic-work.test.ts',
  'test/storage/sqlite/{large-files,zone-search}.test.ts',
];
/** Processes that start, stop, wait and fail: half a second of work for each start, and many seconds of waiting. */
const OF_PROCESSES = [
  'test/process/{build,event-sealing,gitops,log-format,log-level,stopping,warnings,webhooks}.test.ts',
  'test/storage/sqlite/{backup,open}.test.ts',
];
/** Files with a few such tests, which the fast run has without them: see test/support/in-full-run.ts. */
const PARTLY_OF_LOAD = [
  'test/api/zone-files/{hostile-imports,large-imports}.test.ts',
  'test/api/zones/{asking,zone-sizes}.test.ts',
  'test/cli/blacklist-lists.test.ts',
  'test/domain/{many-names,turns}.test.ts',
  'test/storage/zone-search.test.ts',
  'test/publisher/primary/bounds.test.ts',
];
/** What a fast run leaves out: the above, a resource that is added; where there is a server, copies between both databases. */
const OF_REST = [
  ...OF_LOAD,
  ...OF_PROCESSES,
  'test/resource/added-resource.test.ts',
  ...(hasServer ? ['test/storage/copy.test.ts'] : []),
];

/**
 * Tests that count the work of code. V8 counts in all code that its process has loaded, so each of these has a process of its
 * own: in one that has been through a hundred files, it would take twenty times as long.
 */
const OF_COUNTS = [
  'test/http/conditional-requests.test.ts',
  'test/dns/{names,rdata-properties,zone-file-properties}.test.ts',
  'test/dns/wire/{message,names,rdata}.test.ts',
  'test/matcher/run-work.test.ts',
];
const counted = {
  test: { ...shared, name: 'counted', isolate: true, include: scope === 'rest' ? [] : OF_COUNTS },
};

/** Everything else, on the embedded database. */
const sqlite = {
  test: {
    ...shared,
    name: 'sqlite',
    include: scope === 'rest' ? [...OF_REST, ...PARTLY_OF_LOAD] : ['test/**/*.test.ts'],
    exclude: [
      ...elsewhere,
      ...OF_COUNTS,
      'test/support/postgres/**',
      'test/storage/postgres/**',
      ...(scope === 'fast' ? OF_REST : []),
    ],
  },
};

/** Whatever has a store, once more. */
const postgresql = {
  test: {
    ...shared,
    name: 'postgresql',
    include: scope === 'fast' ? OF_DATABASE : [OF_STORE],
    exclude: [
      ...elsewhere,
      OF_SQLITE,
      ...OF_NO_STORE,
      ...ofNoPooler,
      ...(scope === 'rest' ? OF_DATABASE : []),
    ],
    globalSetup: 'test/support/postgres/run-server.ts',
    setupFiles: [...NOTING, 'test/support/postgres/on-postgres.ts'],
  },
};

if (!hasServer) {
  console.log('No PostgreSQL server is installed here: the tests run on the embedded database alone.');
}
if (hasServer && pooler === undefined) {
  console.log('No PgBouncer is installed here: nothing is tried behind it.');
}
if (pooler?.knowsPreparedStatements === false) {
  console.log(
    'PgBouncer is older than 1.21: prepared statements behind it are not tried. PGBOUNCER names another one.',
  );
}

/** A project of tests with programs that have to be installed; run alone, with `--project NAME`. */
function withPrograms(
  name: string,
  include: string,
  options: {
    readonly maxWorkers?: number;
    readonly globalSetup?: string;
    readonly testTimeout?: number;
    readonly hookTimeout?: number;
  },
) {
  const timeouts = { testTimeout: 180_000, hookTimeout: 180_000 };
  return { test: { name, include: [include], pool: 'forks' as const, ...timeouts, ...options } };
}

/** Real clients, servers and browsers, with the built service. */
const others = [
  withPrograms('clients', 'test/clients/*.test.ts', { hookTimeout: 60_000 }),
  // The pages of docs/clients share one Keystone, and one service that publishes to a BIND.
  withPrograms('client-pages', 'test/clients/pages/*.test.ts', {
    hookTimeout: 60_000,
    globalSetup: 'test/support/clients/cloud.ts',
  }),
  withPrograms('name-servers', 'test/name-servers/**/*.test.ts', { maxWorkers: 2 }),
  withPrograms('console', 'test/console/**/*.test.ts', { maxWorkers: 1 }),
  // Setting up Keystone takes half a minute.
  withPrograms('keystone', 'test/keystone/**/*.test.ts', {}),
  withPrograms('designate', 'test/designate/**/*.test.ts', { testTimeout: 600_000 }),
  // Designate's own tests, through a real Keystone and with a real BIND.
  withPrograms('tempest', 'test/tempest/**/*.test.ts', { testTimeout: 60_000, hookTimeout: 3_600_000 }),
];

// Modules that have not changed since the last run are not compiled again.
const experimental = { fsModuleCache: true };

/**
 * Project after project, since a worker that goes to another one reads the whole program again; the files of each in an order that has
 * nothing to do with what they are, so that those that wait are spread among those that work. By itself Vitest starts with the longest,
 * and all workers wait at once.
 */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placed = files.map((file) => {
      const path = file.moduleId.split('/test/').at(-1)!;
      return { file, place: `${file.project.name} ${createHash('sha256').update(path).digest('hex')}` };
    });
    return placed.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ file }) => file);
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: Mixed },
    experimental,
    projects: [counted, sqlite, ...(hasServer ? [postgresql] : []), ...others],
  },
});
