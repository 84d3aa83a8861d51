import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { METRICS, type MetricDefinition, type MetricKey } from './catalogue.ts';

type InstrumentOf<T extends MetricDefinition['type']> = T extends 'counter'
  ? Counter
  : T extends 'gauge'
    ? Gauge
    : Histogram;

/** The prom-client object of each metric. */
export type Instruments = {
  readonly [K in MetricKey]: InstrumentOf<(typeof METRICS)[K]['type']>;
};

function instrument({ type, name, help, labels, buckets }: MetricDefinition, registry: Registry) {
  const common = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === 'counter') return new Counter(common);
  if (type === 'histogram') return new Histogram({ ...common, buckets: [...buckets] });
  const made = new Gauge(common);
  // Otherwise it would report 0 before its first measurement.
  if (labels.length === 0) made.remove();
  return made;
}

/** Registers every metric of the catalogue. */
export function instrumentsIn(registry: Registry): Instruments {
  const made = Object.entries(METRICS).map(([key, definition]) => [key, instrument(definition, registry)]);
  return Object.fromEntries(made) as Instruments;
}
