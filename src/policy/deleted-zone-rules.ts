/** Rules for deleted zones; rules.ts combines them with all others. */
export const DELETED_ZONE_RULES = {
  find_deleted_zones: {
    operations: ['GET /v2/deleted_zones'],
    default: 'rule:admin_or_project_reader',
    description: 'List the deleted zones that can be restored.',
  },
  restore_deleted_zone: {
    operations: ['POST /v2/deleted_zones/{deleted_zone_id}/restore'],
    default: 'rule:admin_or_project_member',
    description: 'Restore a deleted zone. Every rule for a create applies, except `create_zone`.',
  },
  forget_deleted_zone: {
    operations: ['DELETE /v2/deleted_zones/{deleted_zone_id}'],
    default: 'rule:admin_or_project_member',
    description: 'Remove a deleted zone for good, with its history.',
  },
} as const;
