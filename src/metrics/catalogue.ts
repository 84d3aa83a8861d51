/** All Zonewarden metrics, by their names in the code. docs/metrics.md is generated from this. */

type MetricType = 'counter' | 'gauge' | 'histogram';

export interface MetricDefinition<T extends MetricType = MetricType> {
  readonly type: T;
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram; empty for other types. */
  readonly buckets: readonly number[];
  /** True for a gauge of the whole store, which is equal in every process: aggregate with `max`. */
  readonly isStoreWide: boolean;
}

/** From memory access to timeout. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const SECONDS_OF_A_CHECK = [0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5];
const SECONDS_OF_A_WAIT = [0.0001, 0.001, 0.01, 0.1, 0.5, 1, 5];
const SECONDS_TO_SERVERS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];
const STEPS = [10_000, 100_000, 400_000, 1_000_000, 3_000_000, 10_000_000, 20_000_000, 30_000_000];
const SECONDS_OF_A_SLICE = [0.001, 0.01, 0.1, 0.5, 2.5, 10, 60];
const TRANSACTIONS = [1, 2, 4, 8, 16, 32, 64];

type LabelNames = readonly string[];

function counter(name: string, labels: LabelNames, help: string): MetricDefinition<'counter'> {
  return { type: 'counter', name, help, labels, buckets: [], isStoreWide: false };
}

function histogram(
  name: string,
  buckets: readonly number[],
  labels: LabelNames,
  help: string,
): MetricDefinition<'histogram'> {
  return { type: 'histogram', name, help, labels, buckets, isStoreWide: false };
}

function gauge(name: string, labels: LabelNames, help: string): MetricDefinition<'gauge'> {
  return { type: 'gauge', name, help, labels, buckets: [], isStoreWide: false };
}

function storeGauge(name: string, labels: LabelNames, help: string): MetricDefinition<'gauge'> {
  return { ...gauge(name, labels, help), isStoreWide: true };
}

export const METRICS = {
  requests: counter(
    'zonewarden_http_requests_total',
    ['route', 'method', 'status'],
    'HTTP requests answered. The route is a template, or none for an unknown path; the method is one the route has, or other.',
  ),
  requestSeconds: histogram(
    'zonewarden_http_request_duration_seconds',
    SECONDS,
    ['route', 'method'],
    'Time from a request to the end of its response, as the client reads it.',
  ),
  guardrails: counter(
    'zonewarden_guardrail_findings_total',
    ['guardrail', 'outcome'],
    'Findings of guardrails in writes of recordsets: warned, refused, or overridden by the caller.',
  ),
  refusals: counter('zonewarden_http_refusals_total', ['kind'], 'HTTP requests rejected, by kind of error.'),
  connectionRejected: counter(
    'zonewarden_http_connections_closed_total',
    ['reason'],
    'API connections closed for lack of room: client_limit (the client has max_connections_per_client), evicted (another connection got its place) or no_room (all others were in use by authenticated callers).',
  ),
  credentials: counter(
    'zonewarden_credentials_failed_total',
    ['reason'],
    'Requests without valid credentials: missing, unknown or expired.',
  ),
  checks: histogram(
    'zonewarden_blacklist_check_duration_seconds',
    SECONDS_OF_A_CHECK,
    ['outcome'],
    'Duration of one name check against the blacklists, by result; undecided means that the check exceeded its budget.',
  ),
  steps: histogram(
    'zonewarden_blacklist_check_steps',
    STEPS,
    [],
    'Steps of long checks, which run in the matcher thread; a check is undecided after 30 million. Checks of up to a few hundred thousand steps finish at once and are not counted.',
  ),
  patterns: gauge(
    'zonewarden_blacklist_patterns',
    ['mode'],
    'Blacklist patterns in the index of this process, by mode.',
  ),
  indexRevision: gauge(
    'zonewarden_blacklist_index_revision',
    [],
    'Blacklist revision of the index of this process. The next name check brings it up to date.',
  ),
  storeRevision: storeGauge('zonewarden_blacklist_revision', [], 'Blacklist revision in the store.'),
  indexLag: gauge(
    'zonewarden_blacklist_index_lag_revisions',
    [],
    'Revisions by which the index of this process lags the store.',
  ),
  projects: storeGauge('zonewarden_projects', [], 'Projects that have ever had a zone or their own limits.'),
  zones: storeGauge('zonewarden_zones', [], 'Zones, including those pending removal.'),
  recordsets: storeGauge('zonewarden_recordsets', [], 'Recordsets, excluding managed ones.'),
  nearLimits: storeGauge(
    'zonewarden_projects_near_limit',
    ['key', 'level'],
    'Projects at 80 % of a limit or more (near), or at the limit (at). Zone limits are compared with the fullest zone of each project.',
  ),
  valuesAge: gauge(
    'zonewarden_store_figures_age_seconds',
    ['figures'],
    'Age of the store metrics shown here. They are read every 30 seconds while /metrics is being scraped.',
  ),
  transactions: histogram(
    'zonewarden_transaction_duration_seconds',
    SECONDS,
    ['outcome'],
    'Duration of a transaction, including retries and waits: committed, refused by a rule, or failed because of the store.',
  ),
  retries: counter(
    'zonewarden_store_retries_total',
    ['reason'],
    'Retries of transactions and reads on PostgreSQL.',
  ),
  groups: histogram(
    'zonewarden_group_commit_transactions',
    TRANSACTIONS,
    [],
    'Transactions per group commit of the embedded database.',
  ),
  connections: gauge(
    'zonewarden_pool_connections',
    ['pool', 'state'],
    'PostgreSQL connections in use and idle, and requests waiting for one.',
  ),
  connectionWaits: histogram(
    'zonewarden_pool_wait_duration_seconds',
    SECONDS_OF_A_WAIT,
    [],
    'Time spent waiting for a PostgreSQL connection.',
  ),
  eventsUnsealed: storeGauge('zonewarden_events_unsealed', [], 'Events committed but not yet sealed.'),
  webhooksWaiting: storeGauge(
    'zonewarden_webhook_events_waiting',
    ['webhook'],
    'Sealed events of any type that a webhook has not passed yet, by webhook name.',
  ),
  webhooksStopped: storeGauge(
    'zonewarden_webhook_stopped',
    ['webhook'],
    '1 while a webhook is stopped, until an operator resumes it.',
  ),
  orders: storeGauge('zonewarden_publication_orders_waiting', [], 'Zones waiting to be published.'),
  failingOrders: storeGauge(
    'zonewarden_publication_orders_failing',
    [],
    'Zones waiting to be published that are in ERROR.',
  ),
  oldestOrder: storeGauge(
    'zonewarden_publication_oldest_order_age_seconds',
    [],
    'Age of the oldest unpublished change; 0 if there is none.',
  ),
  publication: histogram(
    'zonewarden_publication_duration_seconds',
    SECONDS_TO_SERVERS,
    [],
    'Time from committing a change until enough name servers of the pool serve it.',
  ),
  serverFailures: counter(
    'zonewarden_publication_server_failures_total',
    ['server'],
    'Publication checks that gave up on an out-of-date server. Servers beyond the first 100 are counted as other.',
  ),
  jobSeconds: histogram(
    'zonewarden_job_seconds',
    SECONDS_OF_A_SLICE,
    ['name'],
    'Duration of one slice of a background job in this process.',
  ),
  jobFailures: counter(
    'zonewarden_job_failures_total',
    ['name'],
    'Slices of a background job that failed in this process. It retries them.',
  ),
  jobSuccess: gauge(
    'zonewarden_job_last_success_timestamp_seconds',
    ['name'],
    'Unix time at which a slice of a background job last succeeded in this process. One process at a time does some of the jobs: aggregate with max.',
  ),
  secondariesDue: storeGauge(
    'zonewarden_secondary_zones_due',
    [],
    'Secondary zones due for a refresh that no process has picked up.',
  ),
} as const satisfies Record<string, MetricDefinition>;

export type MetricKey = keyof typeof METRICS;
