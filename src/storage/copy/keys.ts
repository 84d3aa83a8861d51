import type { Schema } from '../database/schema.ts';

/**
 * The tables to copy: all except those that belong to one database or its processes, and results that processes can
 * compute again.
 */
export type Table = Exclude<
  keyof Schema,
  | 'schema_version'
  | 'service_statuses'
  | 'leases'
  | 'project_usage'
  | 'usage_passes'
  | 'previews'
  | 'preview_zones'
>;

/** A unique column of each table. A new table does not compile until it is listed here. */
export const KEYS: { readonly [T in Table]: keyof Schema[T] & string } = {
  projects: 'project_id',
  zones: 'id',
  recordsets: 'id',
  zone_shares: 'id',
  blacklists: 'id',
  blacklist_removals: 'revision',
  blacklist_revision: 'revision',
  blacklist_lists: 'name',
  blacklist_holders: 'key',
  blacklist_tasks: 'id',
  name_gates: 'gate',
  tlds: 'id',
  secondaries: 'zone_id',
  zone_tasks: 'id',
  zone_transfer_requests: 'id',
  zone_transfer_accepts: 'id',
  api_tokens: 'id',
  idempotency_keys: 'key',
  idempotency_projects: 'project_id',
  pools: 'id',
  tsig_keys: 'id',
  publications: 'zone_id',
  catalog_members: 'label',
  zone_journal: 'id',
  former_zones: 'name',
  transferred_serials: 'id',
  event_queue: 'id',
  events: 'position',
  event_head: 'position',
  refusals: 'key',
  webhooks: 'name',
};
