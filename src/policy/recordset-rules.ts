/** Rules for recordsets; rules.ts combines them with all others. */
export const RECORDSET_RULES = {
  create_recordset: {
    operations: ['POST /v2/zones/{zone_id}/recordsets'],
    default: "rule:admin_or_project_member or (role:member and 'True':%(zone_shared)s)",
    description: 'Create a recordset. In a shared zone it belongs to the project that creates it.',
    knows: 'recordset',
  },
  find_recordsets: {
    operations: ['GET /v2/zones/{zone_id}/recordsets', 'GET /v2/recordsets'],
    default: 'rule:admin_or_project_reader',
    description:
      'List the recordsets of a zone, or those of a project. For a shared zone, the acting project is checked.',
  },
  get_recordset: {
    operations: ['GET /v2/zones/{zone_id}/recordsets/{recordset_id}', 'GET /v2/recordsets/{recordset_id}'],
    default: "rule:admin_or_project_reader or (role:reader and 'True':%(zone_shared)s)",
    description: 'Show a recordset.',
    knows: 'recordset',
  },
  update_recordset: {
    operations: ['PUT /v2/zones/{zone_id}/recordsets/{recordset_id}'],
    default: 'rule:admin_or_project_member or (role:member and project_id:%(recordset_project_id)s)',
    description: 'Change a recordset.',
    knows: 'recordset',
  },
  delete_recordset: {
    operations: ['DELETE /v2/zones/{zone_id}/recordsets/{recordset_id}'],
    default: 'rule:admin_or_project_member or (role:member and project_id:%(recordset_project_id)s)',
    description: 'Delete a recordset.',
    knows: 'recordset',
  },
  restore_zone: {
    operations: ['POST /v2/zones/{zone_id}/restore', 'POST /v2/zones/{zone_id}/changes/{change_id}/revert'],
    default: 'rule:admin_or_project_member',
    description:
      'Restore a former state of a zone, or revert one change. Each change is also checked as a single write would be.',
    knows: 'zone',
  },
  find_zone_changes: {
    operations: [
      'GET /v2/zones/{zone_id}/changes',
      'GET /v2/zones/{zone_id}/changes/{change_id}',
      'serial or at in GET /v2/zones/{zone_id}/contents',
      'GET /v2/zones/{zone_id}/diff',
      'GET /v2/recordsets/{recordset_id}/changes',
    ],
    default: 'rule:admin_or_project_reader',
    description:
      'Read the history of a zone. Projects that the zone is shared with do not see it, and an owner sees it since it got the zone.',
  },
  change_recordsets: {
    operations: ['POST /v2/zones/{zone_id}/changes', 'GET /nic/update'],
    default: "rule:admin_or_project_member or (role:member and 'True':%(zone_shared)s)",
    description:
      'Change several recordsets of a zone together. Each change is also checked as a single write would be.',
    knows: 'zone',
  },
  replace_zone_contents: {
    operations: ['PUT /v2/zones/{zone_id}/contents'],
    default: 'rule:admin_or_project_member',
    description:
      'Replace the contents of a zone. Each difference is also checked as a single write would be.',
    knows: 'zone',
  },
  use_blacklisted_recordset: {
    operations: [
      'POST /v2/zones/{zone_id}/recordsets',
      'POST /v2/zones/{zone_id}/changes',
      'PUT /v2/zones/{zone_id}/contents',
      'POST /v2/zones/tasks/imports',
    ],
    default: '!',
    description:
      'Create a recordset although its name matches a blacklist, if record names are checked too. By default no one may, not even an administrator.',
  },
} as const;
