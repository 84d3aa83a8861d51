import { addressOrPort } from './kinds.ts';
import { option } from './option.ts';

/** The section `[metrics]`. */
export const METRICS_OPTIONS = {
  metricsListen: option(
    'metrics',
    'listen',
    addressOrPort,
    '',
    'Address that serves /metrics without credentials, even while the database is down: host:port, or a port on 127.0.0.1; port 0 selects a free one. The API then has no /metrics. Empty: the API serves it to callers that the rule get_metrics allows.',
  ),
} as const;
