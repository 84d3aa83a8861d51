import type { StoreMetrics, TimedMetrics } from '../domain/metrics/store-metrics.ts';
import type { PoolUse } from '../model/metrics/metrics-recorder.ts';
import { LIMIT_KEYS, type NearLimits, type StoreCounts } from '../model/metrics/store.ts';
import type { Instruments } from './instruments.ts';

/** The state of this process's index. */
export interface IndexState {
  /** Number of patterns by mode. */
  readonly patterns: Readonly<Record<string, number>>;
  readonly revision: number;
}

/** The sources of gauges. Gauges without a source are not exported. */
export interface GaugeSources {
  readonly index?: () => IndexState;
  readonly store?: Pick<StoreMetrics, 'present'>;
  readonly pools?: ReadonlyMap<string, () => PoolUse>;
  /** Names of the configured webhooks; the store may hold others. */
  readonly webhooks?: readonly string[];
}

function showPools({ connections }: Instruments, pools: ReadonlyMap<string, () => PoolUse>): void {
  for (const [pool, use] of pools) {
    const { open, idle, waiting } = use();
    connections.set({ pool, state: 'in use' }, open - idle);
    connections.set({ pool, state: 'idle' }, idle);
    connections.set({ pool, state: 'waiting' }, waiting);
  }
}

function showIndex({ patterns, indexRevision }: Instruments, index: IndexState): void {
  for (const [mode, count] of Object.entries(index.patterns)) patterns.set({ mode }, count);
  indexRevision.set(index.revision);
}

const ageOf = (timestamp: string): number =>
  timestamp === '' ? 0 : Math.max(0, (Date.now() - Date.parse(`${timestamp.slice(0, 23)}Z`)) / 1000);

function showCounts(instruments: Instruments, counts: StoreCounts): void {
  const { projects, zones, recordsets, revision, orders, eventsUnsealed, secondariesDue } = counts;
  instruments.projects.set(projects);
  instruments.zones.set(zones);
  instruments.recordsets.set(recordsets);
  instruments.storeRevision.set(revision);
  instruments.orders.set(orders.waiting);
  instruments.failingOrders.set(orders.failing);
  instruments.oldestOrder.set(ageOf(orders.oldest));
  instruments.eventsUnsealed.set(eventsUnsealed);
  instruments.secondariesDue.set(secondariesDue);
}

/** Exports configured webhooks only: nothing delivers events to the others. */
function showWebhooks(
  instruments: Instruments,
  { webhooks }: StoreCounts,
  configured: readonly string[],
): void {
  for (const { name, waiting, isStopped } of webhooks.filter((one) => configured.includes(one.name))) {
    instruments.webhooksWaiting.set({ webhook: name }, waiting);
    instruments.webhooksStopped.set({ webhook: name }, isStopped ? 1 : 0);
  }
}

function showLimits({ nearLimits }: Instruments, limits: NearLimits): void {
  for (const key of LIMIT_KEYS) {
    nearLimits.set({ key, level: 'near' }, limits[key].near);
    nearLimits.set({ key, level: 'at' }, limits[key].at);
  }
}

function showKept<T>(
  instruments: Instruments,
  name: string,
  kept: TimedMetrics<T> | undefined,
  show: (instruments: Instruments, values: T) => void,
): void {
  if (kept === undefined) return;
  instruments.valuesAge.set({ figures: name }, (performance.now() - kept.readAt) / 1000);
  show(instruments, kept.values);
}

/** Sets every gauge from its source. */
export function showGauges(instruments: Instruments, { index, store, pools, webhooks }: GaugeSources): void {
  const present = index?.();
  if (present !== undefined) showIndex(instruments, present);
  if (pools !== undefined) showPools(instruments, pools);
  if (store === undefined) return;
  const { counts, limits } = store.present();
  showKept(instruments, 'counts', counts, showCounts);
  showKept(instruments, 'limits', limits, showLimits);
  if (counts !== undefined && webhooks !== undefined) showWebhooks(instruments, counts.values, webhooks);
  if (present === undefined || counts === undefined) return;
  // The index may be ahead of the counts, which were read earlier.
  instruments.indexLag.set(Math.max(0, counts.values.revision - present.revision));
}
