/** Rules for zone shares, under Designate's names. */
export const SHARE_RULES = {
  share_zone: {
    operations: ['POST /v2/zones/{zone_id}/shares'],
    default: 'rule:admin_or_project_member',
    description: 'Share a zone with another project.',
  },
  get_zone_share: {
    operations: ['GET /v2/zones/{zone_id}/shares/{zone_share_id}'],
    default: 'rule:admin_or_project_member',
    description: 'Show a share of a zone.',
  },
  find_zone_shares: {
    operations: ['GET /v2/zones/{zone_id}/shares'],
    default: '@',
    description:
      'List the shares of a zone that one can see: its owner all of them, a project that it is shared with its own.',
  },
  find_project_zone_share: {
    operations: [],
    default: 'rule:admin_or_project_member',
    description: 'Asked beside find_zone_shares, about the project acted for.',
  },
  unshare_zone: {
    operations: ['DELETE /v2/zones/{zone_id}/shares/{zone_share_id}'],
    default: 'rule:admin_or_project_member',
    description: 'End a share of a zone.',
  },
} as const;
