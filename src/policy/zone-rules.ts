/** Rules for zones; rules.ts combines them with all others. */
export const ZONE_RULES = {
  create_zone: {
    operations: ['POST /v2/zones', 'POST /v2/zones/check'],
    default: 'rule:admin_or_project_member',
    description: 'Create a zone, or check whether it could be created.',
    knows: 'zone',
  },
  create_sub_zone: {
    operations: ['POST /v2/zones', 'POST /v2/zones/check', 'POST /v2/zones/tasks/imports'],
    default: 'rule:create_zone',
    description:
      'Create a zone below one of the same project. Checked in addition to the rule of the operation, if a policy file changes it.',
    knows: 'zone',
  },
  create_super_zone: {
    operations: ['POST /v2/zones', 'POST /v2/zones/check', 'POST /v2/zones/tasks/imports'],
    default: 'rule:create_zone',
    description:
      'Create a zone above one of the same project. Checked in addition to the rule of the operation, if a policy file changes it.',
    knows: 'zone',
  },
  create_sub_zone_other_project: {
    operations: ['POST /v2/zones', 'POST /v2/zones/check', 'POST /v2/zones/tasks/imports'],
    default: '!',
    description:
      'Create a zone below one of another project, which is refused as an illegal child by default. It hides records of the zone above, and while it is there, that one can be neither deleted nor given to another project.',
    knows: 'zone',
  },
  find_zones: {
    operations: ['GET /v2/zones', 'GET /v2/quotas/{project_id}/usage'],
    default: 'rule:admin_or_project_reader',
    description:
      'List the zones of a project. Its usage, which names its fullest zone, also requires get_quotas.',
  },
  get_zone: {
    operations: ['GET /v2/zones/{zone_id}', 'GET /v2/zones/{zone_id}/guardrails'],
    default: "rule:admin_or_project_reader or (role:reader and 'True':%(zone_shared)s)",
    description: 'Show a zone.',
    knows: 'zone',
  },
  get_zone_access: {
    operations: ['GET /v2/zones/{zone_id}/access'],
    default: 'rule:admin_or_project_member',
    description: 'List who may change a zone. Projects that the zone is shared with do not see it.',
    knows: 'zone',
  },
  update_zone: {
    operations: ['PATCH /v2/zones/{zone_id}'],
    default: 'rule:admin_or_project_member',
    description: 'Change a zone.',
    knows: 'zone',
  },
  update_zone_soa: {
    operations: ['soa in PATCH /v2/zones/{zone_id}'],
    default: 'rule:update_zone',
    description: 'Change the SOA timers of a zone. Checked in addition to update_zone.',
    knows: 'zone',
  },
  update_protection: {
    operations: [
      'protected in POST /v2/zones',
      'protected in PATCH /v2/zones/{zone_id}',
      'protected in POST /v2/zones/{zone_id}/recordsets',
      'protected in PUT /v2/zones/{zone_id}/recordsets/{recordset_id}',
    ],
    default: 'rule:admin_or_project_member',
    description:
      'Protect a zone or a recordset, change the reason, or take the protection off. Checked in addition to the rule of the operation, for the owner of the zone.',
  },
  find_guardrails: {
    operations: ['GET /v2/guardrails'],
    default: '@',
    description: 'List the guardrails and their default modes.',
  },
  update_guardrails: {
    operations: ['PATCH /v2/zones/{zone_id}/guardrails'],
    default: 'rule:admin_or_project_member',
    description: 'Change the guardrail modes of a zone.',
    knows: 'zone',
  },
  override_guardrail: {
    operations: ['X-Zonewarden-Override in changes of recordsets'],
    default: 'rule:admin_or_project_member',
    description: 'Make a change that a guardrail refuses.',
    knows: 'zone',
  },
  delete_zone: {
    operations: ['DELETE /v2/zones/{zone_id}'],
    default: 'rule:admin_or_project_member',
    description: 'Delete a zone.',
    knows: 'zone',
  },
  hard_delete: {
    operations: ['DELETE /v2/zones/{zone_id}'],
    default: 'rule:admin',
    description:
      'Delete a zone at once, without waiting for its name servers (X-Designate-Hard-Delete: true).',
    knows: 'zone',
  },
  abandon_zone: {
    operations: ['POST /v2/zones/{zone_id}/tasks/abandon'],
    default: 'rule:admin',
    description: 'Forget a zone here, but leave it on its name servers.',
    knows: 'zone',
  },
  pool_move_zone: {
    operations: ['POST /v2/zones/{zone_id}/tasks/pool_move'],
    default: 'rule:admin',
    description: 'Move a zone to another pool.',
    knows: 'zone',
  },
  xfr_zone: {
    operations: ['POST /v2/zones/{zone_id}/tasks/xfr'],
    default: 'rule:admin_or_project_member',
    description: 'Transfer a secondary zone from its masters now.',
    knows: 'zone',
  },
  zone_create_forced_pool: {
    operations: ['POST /v2/zones'],
    default: 'rule:admin',
    description: 'Choose the pool of a new zone with the attribute pool_id.',
  },
} as const;
