/** Rules for zone file imports and exports; rules.ts combines them with all others. */
export const ZONE_FILE_RULES = {
  create_zone_import: {
    operations: ['POST /v2/zones/tasks/imports'],
    default: 'rule:admin_or_project_member',
    description: 'Create a zone and its contents from a zone file.',
    knows: 'zone',
  },
  find_zone_imports: {
    operations: ['GET /v2/zones/tasks/imports'],
    default: 'rule:admin_or_project_reader',
    description: 'List the imports of a project.',
  },
  get_zone_import: {
    operations: ['GET /v2/zones/tasks/imports/{zone_import_id}'],
    default: 'rule:admin_or_project_reader',
    description: 'Show an import.',
  },
  delete_zone_import: {
    operations: ['DELETE /v2/zones/tasks/imports/{zone_import_id}'],
    default: 'rule:admin_or_project_member',
    description: 'Delete the record of an import; the zone stays.',
  },
  create_zone_export: {
    operations: ['POST /v2/zones/{zone_id}/tasks/export'],
    default: 'rule:admin_or_project_member',
    description: 'Start an export of a zone.',
  },
  find_zone_exports: {
    operations: ['GET /v2/zones/tasks/exports'],
    default: 'rule:admin_or_project_reader',
    description: 'List the exports of a project.',
  },
  get_zone_export: {
    operations: ['GET /v2/zones/tasks/exports/{zone_export_id}'],
    default: 'rule:admin_or_project_reader',
    description: 'Show an export.',
  },
  zone_export: {
    operations: ['GET /v2/zones/tasks/exports/{zone_export_id}/export', 'GET /v2/zones/{zone_id}/contents'],
    default: 'rule:admin_or_project_reader',
    description: 'Fetch the zone file of an export, or the contents of a zone.',
  },
  delete_zone_export: {
    operations: ['DELETE /v2/zones/tasks/exports/{zone_export_id}'],
    default: 'rule:admin_or_project_member',
    description: 'Delete the record of an export.',
  },
} as const;
