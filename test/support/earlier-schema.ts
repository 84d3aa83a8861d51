/** Takes a store back to what it was before the version of the schema that knows protection. */
export const WITHOUT_PROTECTION: readonly string[] = [
  'drop index if exists recordsets_protected',
  ...['zones', 'recordsets'].flatMap((table) =>
    ['protected', 'protection_reason'].map((column) => `alter table ${table} drop column ${column}`),
  ),
];

/** Takes a store back to what it was before recordsets could expire. */
export const WITHOUT_EXPIRY: readonly string[] = [
  'drop index if exists recordsets_expiring',
  'drop index if exists recordsets_expiring_of_zone',
  'alter table recordsets drop column expires_at',
];

/** Takes the tables of the history away. */
export const WITHOUT_HISTORY: readonly string[] = [
  'zone_changes',
  'history_sizes',
  'history_progress',
  'forgotten_histories',
].map((table) => `drop table ${table}`);

/** Takes the tables of deleted zones away. */
export const WITHOUT_DELETED_ZONES: readonly string[] = [
  ...['deleted_zones', 'deleted_contents', 'forgotten_contents'].map((table) => `drop table ${table}`),
  'drop index tsig_keys_resource',
];

/** Takes away what guardrails store. */
export const WITHOUT_GUARDRAILS: readonly string[] = [
  'alter table zones drop column guardrails',
  'drop table record_targets',
  'drop table target_index',
];

/** Takes away how names of TSIG keys are spelled. */
export const WITHOUT_KEY_SPELLINGS: readonly string[] = ['alter table tsig_keys drop column spelling'];

/** Takes away what DNS UPDATE stores. */
export const WITHOUT_UPDATES: readonly string[] = [
  ...['transfer', 'update_scope'].map((column) => `alter table tsig_keys drop column ${column}`),
  'drop table taken_updates',
];

/** Takes away what tokens of members store, and the indexes of tokens. */
export const WITHOUT_TOKEN_SCOPES: readonly string[] = [
  'drop index api_tokens_project',
  'drop index api_tokens_unexpired',
  ...['own_roles', 'scope', 'ancestors', 'last_used_at', 'last_used_from', 'max_unused', 'counted'].map(
    (column) => `alter table api_tokens drop column ${column}`,
  ),
];

/** Takes away whose TSIG keys are. The index by resource goes with deleted zones. */
export const WITHOUT_TENANTS_KEYS: readonly string[] = [
  ...['of_pools', 'created_at', 'project_created_at', 'project_name'].map(
    (name) => `drop index tsig_keys_${name}`,
  ),
  'alter table tsig_keys drop column project_id',
];

/** Takes away what shares narrow. */
export const WITHOUT_SHARE_SCOPES: readonly string[] = ['alter table zone_shares drop column scope'];
