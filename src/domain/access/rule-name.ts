/** Every rule that an operation checks, by its name in Designate. src/policy has the defaults. */
export const RULE_NAMES = [
  // Blacklists.
  'create_blacklist',
  'find_blacklists',
  'find_blacklist',
  'get_blacklist',
  'update_blacklist',
  'delete_blacklist',
  'use_blacklisted_zone',
  'check_blacklists',
  // TLDs.
  'create_tld',
  'find_tlds',
  'get_tld',
  'update_tld',
  'delete_tld',
  // Quotas.
  'get_quotas',
  'set_quota',
  'reset_quotas',
  // Zones.
  'create_zone',
  'find_zones',
  'get_zone',
  'update_zone',
  'delete_zone',
  'hard_delete',
  'abandon_zone',
  'pool_move_zone',
  'xfr_zone',
  'zone_create_forced_pool',
  // Recordsets.
  'create_recordset',
  'find_recordsets',
  'get_recordset',
  'update_recordset',
  'delete_recordset',
  'use_blacklisted_recordset',
  // Shares.
  'share_zone',
  'get_zone_share',
  'find_zone_shares',
  'find_project_zone_share',
  'unshare_zone',
  // Imports and exports.
  'create_zone_import',
  'find_zone_imports',
  'get_zone_import',
  'delete_zone_import',
  'create_zone_export',
  'find_zone_exports',
  'get_zone_export',
  'zone_export',
  'delete_zone_export',
  // Zone transfers.
  'create_zone_transfer_request',
  'get_zone_transfer_request',
  'find_zone_transfer_requests',
  'update_zone_transfer_request',
  'delete_zone_transfer_request',
  'create_zone_transfer_accept',
  'get_zone_transfer_accept',
  'find_zone_transfer_accepts',
  'update_zone_transfer_accept',
  'delete_zone_transfer_accept',
  // Pools.
  'create_pool',
  'find_pool',
  'find_pools',
  'get_pool',
  'update_pool',
  'delete_pool',
  'get_zone_ns_records',
  'get_zone_publication',
  // The processes.
  'find_service_status',
  'find_service_statuses',
  // What has happened.
  'find_events',
  'get_event',
  'find_all_events',
  'get_statistics',
  // Figures.
  'get_metrics',
  // TSIG keys.
  'create_tsigkey',
  'find_tsigkeys',
  'get_tsigkey',
  'update_tsigkey',
  'delete_tsigkey',
  // Callers, their tokens, and what projects use.
  'get_caller',
  'list_tokens',
  'create_token',
  'revoke_token',
  'get_usage',
  // Acting for others.
  'all_tenants',
  'use_sudo',
  'edit_managed_records',
] as const;

export type RuleName = (typeof RULE_NAMES)[number];
