/** Rules for events and statistics. */
export const EVENT_RULES = {
  find_events: {
    operations: ['GET /v2/events'],
    default: 'rule:admin_or_project_reader',
    description: 'List the events of a project.',
  },
  get_event: {
    operations: ['GET /v2/events/{event_id}'],
    default: 'rule:admin_or_project_reader',
    description: 'Show an event of a project.',
  },
  find_all_events: {
    operations: [],
    default: 'rule:admin',
    description: 'See the events of all projects, with all their details, in these lists.',
  },
  get_statistics: {
    operations: ['GET /v2/statistics'],
    default: 'rule:admin',
    description: 'Show statistics: the number of zones, rejections and pending publications.',
  },
} as const;
