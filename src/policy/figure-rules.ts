/** Rules for metrics. Designate has none. */
export const FIGURE_RULES = {
  get_metrics: {
    operations: ['GET /metrics'],
    default: 'rule:admin or role:metrics',
    description:
      'Read the figures of the process, in the format of Prometheus. The role metrics is for this alone.',
  },
} as const;
