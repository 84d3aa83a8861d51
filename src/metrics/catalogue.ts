/** Every metric of our own, by the name that the code has for it. docs/metrics.md is made of this. */

type MetricType = 'counter' | 'gauge' | 'histogram';

export interface MetricDefinition<T extends MetricType = MetricType> {
  readonly type: T;
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, of a histogram. */
  readonly buckets: readonly number[];
  /** Of a gauge that tells of the whole store, and is the same in each process: `max` joins those of several. */
  readonly isStoreWide: boolean;
}

/** Seconds, from what is in memory to what has timed out. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const SECONDS_OF_A_CHECK = [0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5];
const SECONDS_OF_A_WAIT = [0.0001, 0.001, 0.01, 0.1, 0.5, 1, 5];
const SECONDS_TO_SERVERS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];
const STEPS = [10_000, 100_000, 400_000, 1_000_000, 3_000_000, 10_000_000, 20_000_000, 30_000_000];
const JOBS = [1, 2, 4, 8, 16, 32, 64];

type Labels = readonly string[];

function counter(name: string, labels: Labels, help: string): MetricDefinition<'counter'> {
  return { type: 'counter', name, help, labels, buckets: [], isStoreWide: false };
}

function histogram(
  name: string,
  buckets: readonly number[],
  labels: Labels,
  help: string,
): MetricDefinition<'histogram'> {
  return { type: 'histogram', name, help, labels, buckets, isStoreWide: false };
}

function gauge(name: string, labels: Labels, help: string): MetricDefinition<'gauge'> {
  return { type: 'gauge', name, help, labels, buckets: [], isStoreWide: false };
}

function storeGauge(name: string, labels: Labels, help: string): MetricDefinition<'gauge'> {
  return { ...gauge(name, labels, help), isStoreWide: true };
}

export const METRICS = {
  requests: counter(
    'zonewarden_http_requests_total',
    ['route', 'method', 'status'],
    'Requests that were answered. The route is its template, or none for an unknown path; the method is one of the route, or other.',
  ),
  requestSeconds: histogram(
    'zonewarden_http_request_duration_seconds',
    SECONDS,
    ['route', 'method'],
    'Time from a request to the end of its answer, as the client reads it.',
  ),
  refusals: counter(
    'zonewarden_http_refusals_total',
    ['kind'],
    'Requests that were refused, by the kind of refusal in the catalogue of errors.',
  ),
  credentials: counter(
    'zonewarden_credentials_failed_total',
    ['reason'],
    'Requests without valid credentials, by what is wrong with them; missing is none at all.',
  ),
  checks: histogram(
    'zonewarden_blacklist_check_duration_seconds',
    SECONDS_OF_A_CHECK,
    ['outcome'],
    'Time that a check of one name against the blacklists took, by its verdict; undecided is a check that ran out of its budget.',
  ),
  steps: histogram(
    'zonewarden_blacklist_check_steps',
    STEPS,
    [],
    'Steps of the checks that were ended in the thread of the matcher, of the 30 million after which a check is undecided. Checks that take some hundred thousand steps are ended at once, and not counted here.',
  ),
  patterns: gauge(
    'zonewarden_blacklist_patterns',
    ['mode'],
    'Patterns in the index of this process, by what becomes of a name that matches: enforce, warn or audit.',
  ),
  indexRevision: gauge(
    'zonewarden_blacklist_index_revision',
    [],
    'Revision of the blacklists that the index of this process is at. It catches up with the next check of a name.',
  ),
  storeRevision: storeGauge('zonewarden_blacklist_revision', [], 'Revision of the blacklists in the store.'),
  indexLag: gauge(
    'zonewarden_blacklist_index_lag_revisions',
    [],
    'Revisions that the index of this process is behind the store.',
  ),
  projects: storeGauge('zonewarden_projects', [], 'Projects that ever had a zone or limits of their own.'),
  zones: storeGauge('zonewarden_zones', [], 'Zones, those that wait for their removal included.'),
  recordsets: storeGauge('zonewarden_recordsets', [], 'Recordsets, without the managed ones.'),
  nearLimits: storeGauge(
    'zonewarden_projects_near_limit',
    ['key', 'level'],
    'Projects that use 80 per cent of a limit or more (near), or all of it (at). Limits of a zone are compared with the fullest zone of each project.',
  ),
  figuresAge: gauge(
    'zonewarden_store_figures_age_seconds',
    ['figures'],
    'Age of the figures of the whole store that are shown here. They are read every 30 seconds while somebody asks for them.',
  ),
  transactions: histogram(
    'zonewarden_transaction_duration_seconds',
    SECONDS,
    ['outcome'],
    'Time that a transaction took, retries and waits included: committed, refused by a rule, or failed for the sake of the store.',
  ),
  retries: counter(
    'zonewarden_store_retries_total',
    ['reason'],
    'Transactions and reads on PostgreSQL that were tried once more.',
  ),
  groups: histogram(
    'zonewarden_group_commit_transactions',
    JOBS,
    [],
    'Transactions that shared one commit of the embedded database.',
  ),
  connections: gauge(
    'zonewarden_pool_connections',
    ['pool', 'state'],
    'Connections to PostgreSQL that are in use or idle, and requests that wait for one.',
  ),
  connectionWaits: histogram(
    'zonewarden_pool_wait_duration_seconds',
    SECONDS_OF_A_WAIT,
    [],
    'Time that was waited for a connection to PostgreSQL.',
  ),
  eventsUnsealed: storeGauge(
    'zonewarden_events_unsealed',
    [],
    'Events that are committed and that no process has sealed yet.',
  ),
  webhooksWaiting: storeGauge(
    'zonewarden_webhook_events_waiting',
    ['webhook'],
    'Sealed events that a webhook has still to go past, of all types, by its name in the configuration.',
  ),
  webhooksStopped: storeGauge(
    'zonewarden_webhook_stopped',
    ['webhook'],
    'Whether a webhook is stopped: 1 until an operator resumes it.',
  ),
  orders: storeGauge(
    'zonewarden_publication_orders_waiting',
    [],
    'Zones that name servers are looked after for.',
  ),
  failingOrders: storeGauge('zonewarden_publication_orders_failing', [], 'Zones of those that are in ERROR.'),
  oldestOrder: storeGauge(
    'zonewarden_publication_oldest_order_age_seconds',
    [],
    'Age of the oldest change that too few name servers have; 0 for none.',
  ),
  publication: histogram(
    'zonewarden_publication_duration_seconds',
    SECONDS_TO_SERVERS,
    [],
    'Time from the commit of a change until enough name servers of the pool answered with it.',
  ),
  serverFailures: counter(
    'zonewarden_publication_server_failures_total',
    ['server'],
    'Looks after a zone that ended without a server of its pool having what it should have. Beyond 100 servers they are other.',
  ),
  secondariesDue: storeGauge(
    'zonewarden_secondary_zones_due',
    [],
    'Secondary zones whose masters should be asked by now, and that no process has taken.',
  ),
} as const satisfies Record<string, MetricDefinition>;

export type MetricKey = keyof typeof METRICS;
