/** Rules for metrics. Designate has none. */
export const METRICS_RULES = {
  get_metrics: {
    operations: ['GET /metrics'],
    default: 'rule:admin or role:metrics',
    description:
      'Read the metrics of the process in the Prometheus text format. The role metrics allows nothing else.',
  },
} as const;
