/** Rules for the administration of publication, under Designate's names. */
export const PUBLICATION_RULES = {
  create_pool: {
    operations: ['POST /v2/pools'],
    default: 'rule:admin',
    description: 'Create a pool.',
  },
  find_pool: {
    operations: [],
    default: 'rule:admin',
    description: 'Accepted so that policy files of Designate load; no operation uses it.',
  },
  find_pools: {
    operations: ['GET /v2/pools'],
    default: 'rule:admin',
    description: 'List pools.',
  },
  get_pool: {
    operations: ['GET /v2/pools/{pool_id}'],
    default: 'rule:admin',
    description: 'Show a pool.',
  },
  update_pool: {
    operations: ['PATCH /v2/pools/{pool_id}'],
    default: 'rule:admin',
    description: 'Change a pool.',
  },
  delete_pool: {
    operations: ['DELETE /v2/pools/{pool_id}'],
    default: 'rule:admin',
    description: 'Delete a pool.',
  },
  get_zone_ns_records: {
    operations: ['GET /v2/zones/{zone_id}/nameservers'],
    default: 'rule:admin_or_project_reader',
    description: 'Show the name servers of a zone.',
  },
  get_zone_publication: {
    operations: ['GET /v2/zones/{zone_id}/publication'],
    default: 'rule:admin_or_project_reader',
    description:
      'Show the publication status of a zone per name server. Callers allowed by get_pool also see the addresses of servers, and why masters cannot be used.',
  },
  find_service_status: {
    operations: ['GET /v2/service_statuses/{service_id}', 'GET /v2/service_status/{service_id}'],
    default: 'rule:admin',
    description: 'Show a process of the service.',
  },
  find_service_statuses: {
    operations: ['GET /v2/service_statuses', 'GET /v2/service_status'],
    default: 'rule:admin',
    description: 'List the processes of the service.',
  },
  create_tsigkey: {
    operations: ['POST /v2/tsigkeys'],
    default: 'rule:admin',
    description: 'Create a TSIG key of any name, for a pool or a zone.',
  },
  find_tsigkeys: {
    operations: ['GET /v2/tsigkeys'],
    default: 'rule:admin',
    description: 'List all TSIG keys, with the secrets of those that administrators have made.',
  },
  get_tsigkey: {
    operations: ['GET /v2/tsigkeys/{tsigkey_id}'],
    default: 'rule:admin',
    description: 'Show any TSIG key; one that administrators have made with its secret.',
  },
  update_tsigkey: {
    operations: ['PATCH /v2/tsigkeys/{tsigkey_id}'],
    default: 'rule:admin',
    description: 'Change a TSIG key that administrators have made.',
  },
  delete_tsigkey: {
    operations: ['DELETE /v2/tsigkeys/{tsigkey_id}'],
    default: 'rule:admin',
    description: 'Delete any TSIG key.',
  },
  create_zone_tsigkey: {
    operations: ['POST /v2/tsigkeys'],
    default: 'rule:admin_or_project_member',
    description:
      'Create a TSIG key for a zone of the project. Asked of callers whom create_tsigkey does not allow.',
    knows: 'zone',
  },
  find_zone_tsigkeys: {
    operations: ['GET /v2/tsigkeys'],
    default: 'rule:admin_or_project_reader',
    description:
      'List the TSIG keys that the project has made for its zones, without their secrets. Asked of callers whom find_tsigkeys does not allow.',
  },
  get_zone_tsigkey: {
    operations: ['GET /v2/tsigkeys/{tsigkey_id}'],
    default: 'rule:admin_or_project_reader',
    description:
      'Show a TSIG key that the project has made for one of its zones, without its secret. Asked of callers whom get_tsigkey does not allow.',
  },
  delete_zone_tsigkey: {
    operations: ['DELETE /v2/tsigkeys/{tsigkey_id}'],
    default: 'rule:admin_or_project_member',
    description:
      'Delete a TSIG key that the project has made for one of its zones. Asked of callers whom delete_tsigkey does not allow.',
  },
} as const;
