/** Rules for recordsets; rules.ts combines them with all others. */
export const RECORDSET_RULES = {
  create_recordset: {
    operations: ['POST /v2/zones/{zone_id}/recordsets'],
    default: "rule:admin_or_project_member or (role:member and 'True':%(zone_shared)s)",
    description: 'Create a recordset. In a shared zone it belongs to the project that creates it.',
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
  },
  update_recordset: {
    operations: ['PUT /v2/zones/{zone_id}/recordsets/{recordset_id}'],
    default: 'rule:admin_or_project_member or (role:member and project_id:%(recordset_project_id)s)',
    description: 'Change a recordset.',
  },
  delete_recordset: {
    operations: ['DELETE /v2/zones/{zone_id}/recordsets/{recordset_id}'],
    default: 'rule:admin_or_project_member or (role:member and project_id:%(recordset_project_id)s)',
    description: 'Delete a recordset.',
  },
  use_blacklisted_recordset: {
    operations: ['POST /v2/zones/{zone_id}/recordsets', 'POST /v2/zones/tasks/imports'],
    default: '!',
    description:
      'Create a recordset although its name matches a blacklist, if record names are checked too. By default no one may, not even an administrator.',
  },
} as const;
