import { collectDefaultMetrics, Registry } from 'prom-client';

/** Gauges whose names end like those of counters; what they tell is in `nodejs_active_resources` by type. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

let registry: Registry | undefined;

/** The figures of this process, which are one set however many services run in it. */
export function processFigures(): Registry {
  if (registry !== undefined) return registry;
  registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}
