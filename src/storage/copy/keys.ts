import type { Schema } from '../database/schema.ts';
import * as resources from '../resources.ts';

/** The tables of resources that register themselves. */
type ResourceTable<R = (typeof resources)[keyof typeof resources]> = R extends { readonly keys: infer Keys }
  ? keyof Keys & string
  : never;

/**
 * The tables to copy: all except those that belong to one database or its processes, and results that processes can
 * compute again.
 */
type SchemaTable = Exclude<
  keyof Schema,
  | 'schema_version'
  | 'service_statuses'
  | 'leases'
  | 'project_usage'
  | 'usage_passes'
  | 'previews'
  | 'preview_zones'
>;

export type Table = SchemaTable | ResourceTable;

/** A unique column of each table of the schema. A new one does not compile until it is listed here. */
const SCHEMA_KEYS: { readonly [T in SchemaTable]: keyof Schema[T] & string } = {
  projects: 'project_id',
  zones: 'id',
  recordsets: 'id',
  record_targets: 'key',
  target_index: 'name',
  zone_shares: 'id',
  blacklists: 'id',
  blacklist_removals: 'revision',
  blacklist_revision: 'revision',
  blacklist_lists: 'name',
  blacklist_holders: 'key',
  blacklist_tasks: 'id',
  name_gates: 'gate',
  secondaries: 'zone_id',
  zone_tasks: 'id',
  zone_transfer_requests: 'id',
  zone_transfer_accepts: 'id',
  api_tokens: 'id',
  idempotency_keys: 'key',
  idempotency_projects: 'project_id',
  pools: 'id',
  tsig_keys: 'id',
  taken_updates: 'id',
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
  zone_changes: 'id',
  history_sizes: 'id',
  history_progress: 'name',
  forgotten_histories: 'zone_id',
  deleted_zones: 'id',
  deleted_contents: 'id',
  forgotten_contents: 'contents_id',
};

const RESOURCE_KEYS = Object.fromEntries(
  Object.values(resources).flatMap(({ keys }) => Object.entries(keys)),
) as Readonly<Record<ResourceTable, string>>;

/** A unique column of each table. */
export const KEYS: Readonly<Record<Table, string>> = { ...SCHEMA_KEYS, ...RESOURCE_KEYS };
