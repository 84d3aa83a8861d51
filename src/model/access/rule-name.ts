import { RESOURCE_RULE_NAMES } from '../combined-resources.ts';

/** Every rule that an operation checks, by its name in Designate. src/policy defines the defaults. */
export const RULE_NAMES = [
  // Blacklists.
  'create_blacklist',
  'find_blacklists',
  'find_blacklist',
  'get_blacklist',
  'update_blacklist',
  'delete_blacklist',
  'import_blacklists',
  'get_blacklist_import',
  'find_blacklist_lists',
  'get_blacklist_list',
  'update_blacklist_list',
  'delete_blacklist_list',
  'use_blacklisted_zone',
  'check_blacklists',
  // Those that resources define themselves.
  ...RESOURCE_RULE_NAMES,
  // Quotas.
  'get_quotas',
  'set_quota',
  'reset_quotas',
  // Zones.
  'create_zone',
  'find_zones',
  'get_zone',
  'update_zone',
  'update_zone_soa',
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
  // Processes.
  'find_service_status',
  'find_service_statuses',
  // Events.
  'find_events',
  'get_event',
  'find_all_events',
  'get_statistics',
  // Metrics.
  'get_metrics',
  // TSIG keys.
  'create_tsigkey',
  'find_tsigkeys',
  'get_tsigkey',
  'update_tsigkey',
  'delete_tsigkey',
  // Callers, their tokens, and project usage.
  'get_caller',
  'list_tokens',
  'create_token',
  'revoke_token',
  'get_usage',
  // Acting on behalf of others.
  'all_tenants',
  'use_sudo',
  'edit_managed_records',
] as const;

export type RuleName = (typeof RULE_NAMES)[number];
