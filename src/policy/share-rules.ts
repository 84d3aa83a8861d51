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
    description: 'List the shares of a zone: the owner sees all of them, another project only its own.',
  },
  find_project_zone_share: {
    operations: [],
    default: 'rule:admin_or_project_member',
    description: 'Checked in addition to find_zone_shares, for the acting project.',
  },
  unshare_zone: {
    operations: ['DELETE /v2/zones/{zone_id}/shares/{zone_share_id}'],
    default: 'rule:admin_or_project_member',
    description: 'Delete a share of a zone.',
  },
} as const;
