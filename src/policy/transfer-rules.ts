/** Rules for zone transfers, under Designate's names. */
export const TRANSFER_RULES = {
  create_zone_transfer_request: {
    operations: ['POST /v2/zones/{zone_id}/tasks/transfer_requests'],
    default: 'rule:admin_or_project_member',
    description: 'Offer a zone to another project.',
  },
  get_zone_transfer_request: {
    operations: ['GET /v2/zones/tasks/transfer_requests/{zone_transfer_request_id}'],
    default: 'rule:admin_or_project_reader',
    description:
      'Show a zone transfer request. Projects that do not own the zone see neither key nor target; callers allowed by all_tenants see any request.',
  },
  find_zone_transfer_requests: {
    operations: ['GET /v2/zones/tasks/transfer_requests'],
    default: 'rule:admin_or_project_reader',
    description: 'List the transfer requests of a project, and those that target it.',
  },
  update_zone_transfer_request: {
    operations: ['PATCH /v2/zones/tasks/transfer_requests/{zone_transfer_request_id}'],
    default: 'rule:admin_or_project_member',
    description: 'Change a zone transfer request.',
  },
  delete_zone_transfer_request: {
    operations: ['DELETE /v2/zones/tasks/transfer_requests/{zone_transfer_request_id}'],
    default: 'rule:admin_or_project_member',
    description: 'Delete a zone transfer request.',
  },
  create_zone_transfer_accept: {
    operations: ['POST /v2/zones/tasks/transfer_accepts'],
    default: 'rule:admin_or_project_member',
    description:
      'Accept a zone with the key of the request. Checked for the receiving project and for the project that the zone is offered to: an administrator may accept an offer to another project.',
  },
  get_zone_transfer_accept: {
    operations: ['GET /v2/zones/tasks/transfer_accepts/{zone_transfer_accept_id}'],
    default: 'rule:admin_or_project_reader',
    description: 'Show a zone transfer accept of the receiving project.',
  },
  find_zone_transfer_accepts: {
    operations: ['GET /v2/zones/tasks/transfer_accepts'],
    default: 'rule:admin',
    description: 'List zone transfer accepts.',
  },
  update_zone_transfer_accept: {
    operations: [],
    default: 'rule:admin',
    description: 'Accepted so that policy files of Designate load; no operation uses it.',
  },
  delete_zone_transfer_accept: {
    operations: [],
    default: 'rule:admin',
    description: 'Accepted so that policy files of Designate load; no operation uses it.',
  },
} as const;
