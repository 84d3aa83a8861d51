import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { METRICS, type MetricDefinition, type MetricKey } from './catalogue.ts';

type InstrumentOf<T extends MetricDefinition['type']> = T extends 'counter'
  ? Counter
  : T extends 'gauge'
    ? Gauge
    : Histogram;

/** What prom-client has for each metric of the catalogue. */
export type Instruments = {
  readonly [K in MetricKey]: InstrumentOf<(typeof METRICS)[K]['type']>;
};

function instrument({ type, name, help, labels, buckets }: MetricDefinition, registry: Registry) {
  const common = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === 'counter') return new Counter(common);
  if (type === 'histogram') return new Histogram({ ...common, buckets: [...buckets] });
  const made = new Gauge(common);
  // It would stand at 0, which nobody has measured.
  if (labels.length === 0) made.remove();
  return made;
}

/** Makes every metric of the catalogue. */
export function instrumentsIn(registry: Registry): Instruments {
  const made = Object.entries(METRICS).map(([key, definition]) => [key, instrument(definition, registry)]);
  return Object.fromEntries(made) as Instruments;
}
