/** The metrics of this process, in the Prometheus format. */
import { Registry } from 'prom-client';
import { GUARDRAIL_NAMES, type GuardrailName } from '../model/guardrails/guardrail.ts';
import type {
  FinishedRequest,
  GuardrailResult,
  MetricsRecorder,
  PoolUse,
  TransactionOutcome,
} from '../model/metrics/metrics-recorder.ts';
import { METRICS, type MetricDefinition } from './catalogue.ts';
import { type GaugeSources, showGauges } from './gauges.ts';
import { type Instruments, instrumentsIn } from './instruments.ts';
import { processMetrics } from './process-metrics.ts';

/** Maximum number of servers with their own label. */
const MAX_SERVERS = 100;
/** How long rendered metrics are reused, in milliseconds. */
const HOLDS_FOR = 1000;

/** Exports zeros from the start, so that the first event shows up as an increase. */
function startAtZero(instruments: Instruments): void {
  const { transactions, checks, retries, credentials, connectionRejected, guardrails } = instruments;
  for (const guardrail of GUARDRAIL_NAMES)
    for (const outcome of ['warned', 'refused', 'overridden']) guardrails.inc({ guardrail, outcome }, 0);
  for (const outcome of ['committed', 'refused', 'failed']) transactions.zero({ outcome });
  for (const outcome of ['free', 'blocked', 'undecided']) checks.zero({ outcome });
  for (const reason of ['conflict', 'duplicate', 'lost', 'stale']) retries.inc({ reason }, 0);
  for (const reason of ['client_limit', 'evicted', 'no_room']) connectionRejected.inc({ reason }, 0);
  for (const reason of ['missing', 'unknown', 'expired']) credentials.inc({ reason }, 0);
}

/** The metrics of one service. The number of series is limited, whatever callers send. */
export class Metrics implements MetricsRecorder {
  readonly contentType: string = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #registry = new Registry();
  readonly #instruments = instrumentsIn(this.#registry);
  readonly #pools = new Map<string, () => PoolUse>();
  readonly #servers = new Set<string>();
  #sources: GaugeSources = {};
  #rendered: Promise<string> | undefined;
  #renderedAt = Number.NEGATIVE_INFINITY;

  constructor() {
    startAtZero(this.#instruments);
  }

  /** Adds sources of gauges. */
  watch(sources: GaugeSources): void {
    this.#sources = { ...this.#sources, ...sources };
  }

  /** The current metrics, at most one second old. Never waits for the store. */
  text(): Promise<string> {
    const now = performance.now();
    if (this.#rendered === undefined || now - this.#renderedAt >= HOLDS_FOR) {
      this.#renderedAt = now;
      this.#rendered = this.#render();
    }
    return this.#rendered;
  }

  requestFinished({ route, method, status, seconds }: FinishedRequest): void {
    this.#instruments.requests.inc({ route, method, status }, 1);
    this.#instruments.requestSeconds.observe({ route, method }, seconds);
  }

  connectionClosed(reason: string): void {
    this.#instruments.connectionRejected.inc({ reason }, 1);
  }

  requestRefused(kind: string): void {
    this.#instruments.refusals.inc({ kind }, 1);
  }

  credentialsFailed(reason: string): void {
    this.#instruments.credentials.inc({ reason }, 1);
  }

  nameChecked(outcome: string, seconds: number): void {
    this.#instruments.checks.observe({ outcome }, seconds);
  }

  guardrailFound(guardrail: GuardrailName, outcome: GuardrailResult): void {
    this.#instruments.guardrails.inc({ guardrail, outcome }, 1);
  }

  longCheckEnded(units: number): void {
    this.#instruments.steps.observe(units);
  }

  transactionEnded(outcome: TransactionOutcome, seconds: number): void {
    this.#instruments.transactions.observe({ outcome }, seconds);
  }

  retried(reason: string): void {
    this.#instruments.retries.inc({ reason }, 1);
  }

  groupCommitted(transactions: number): void {
    this.#instruments.groups.observe(transactions);
  }

  connectionTaken(seconds: number): void {
    this.#instruments.connectionWaits.observe(seconds);
  }

  watchPool(name: 'requests' | 'transfers', use: () => PoolUse): void {
    this.#pools.set(name, use);
  }

  zonePublished(seconds: number): void {
    this.#instruments.publication.observe(seconds);
  }

  serverFailed(server: string): void {
    if (this.#servers.size < MAX_SERVERS) this.#servers.add(server);
    this.#instruments.serverFailures.inc({ server: this.#servers.has(server) ? server : 'other' }, 1);
  }

  jobEnded(job: string, seconds: number, isDone: boolean): void {
    const { jobSeconds, jobFailures, jobSuccess } = this.#instruments;
    jobSeconds.observe({ name: job }, seconds);
    jobFailures.inc({ name: job }, isDone ? 0 : 1);
    if (isDone) jobSuccess.set({ name: job }, Date.now() / 1000);
  }

  async #render(): Promise<string> {
    showGauges(this.#instruments, { ...this.#sources, pools: this.#pools });
    return Registry.merge([this.#registry, processMetrics()]).metrics();
  }
}

export interface DescribedMetric extends Pick<MetricDefinition, 'name' | 'help' | 'labels' | 'isStoreWide'> {
  readonly type: string;
  /** True for metrics of the service; the others come from Node.js. */
  readonly isOurs: boolean;
}

/** Every metric that can be exported. */
export async function describedMetrics(): Promise<readonly DescribedMetric[]> {
  const ours = Object.values<MetricDefinition>(METRICS).map((metric) => ({ ...metric, isOurs: true }));
  const others = await processMetrics().getMetricsAsJSON();
  const ofProcess = others.map(({ name, help, type }) => ({
    name,
    help,
    type: String(type),
    labels: [],
    isStoreWide: false,
    isOurs: false,
  }));
  return [...ours, ...ofProcess];
}
