/** Which rules a credential with a scope can pass, and by which of its actions. */
import type { Fqdn, OwnerName } from '../../dns/names.ts';
import type { PolicyTarget } from '../../model/access/policy.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import {
  allowsAction,
  type CredentialScope,
  refusingKey,
  type ScopedAction,
  type ScopeKey,
} from '../../model/scopes/credential-scope.ts';
import type { ShareScope } from '../../model/scopes/share-scope.ts';

const READ: readonly ScopedAction[] = ['read'];
const ZONE_CREATION: readonly ScopedAction[] = ['create_zone'];
/** Each effect of such an operation is asked for on its own, too. */
const ANY_WRITE: readonly ScopedAction[] = ['create', 'update', 'delete'];

/** The actions of which a rule needs one. Rules that are not here concern what no scope opens. */
const ACTIONS: Partial<Readonly<Record<RuleName, readonly ScopedAction[]>>> = {
  find_zones: READ,
  get_zone: READ,
  create_zone: ZONE_CREATION,
  create_sub_zone: ZONE_CREATION,
  create_super_zone: ZONE_CREATION,
  create_sub_zone_other_project: ZONE_CREATION,
  update_zone: ['update_zone'],
  update_zone_soa: ['update_zone'],
  delete_zone: ['delete_zone'],
  find_zone_changes: READ,
  restore_zone: ANY_WRITE,
  find_deleted_zones: READ,
  restore_deleted_zone: ZONE_CREATION,
  find_recordsets: READ,
  get_recordset: READ,
  create_recordset: ['create'],
  update_recordset: ['update'],
  delete_recordset: ['delete'],
  change_recordsets: ANY_WRITE,
  replace_zone_contents: ANY_WRITE,
  create_zone_import: ZONE_CREATION,
  find_zone_imports: READ,
  get_zone_import: READ,
  delete_zone_import: ZONE_CREATION,
  create_zone_export: READ,
  find_zone_exports: READ,
  get_zone_export: READ,
  zone_export: READ,
  delete_zone_export: READ,
  find_events: READ,
  get_event: READ,
  get_caller: READ,
  get_quotas: READ,
  list_own_tokens: READ,
  revoke_own_token: READ,
  create_own_token: ['create_token'],
  check_access: READ,
};

/** Operations on everything in a zone, which a scope with names or types does not open. */
const OF_WHOLE_ZONES: ReadonlySet<RuleName> = new Set<RuleName>([
  'create_zone',
  'create_sub_zone',
  'create_super_zone',
  'create_sub_zone_other_project',
  'update_zone',
  'update_zone_soa',
  'delete_zone',
  'find_zone_changes',
  'restore_zone',
  'find_deleted_zones',
  'restore_deleted_zone',
  'replace_zone_contents',
  'create_zone_import',
  'find_zone_imports',
  'get_zone_import',
  'delete_zone_import',
  'create_zone_export',
  'find_zone_exports',
  'get_zone_export',
  'zone_export',
  'delete_zone_export',
  'find_events',
  'get_event',
]);

/** Operations that bring recordsets which would outlive the lifetime of a scope. */
const WITH_RECORDS: readonly RuleName[] = ['create_zone_import', 'restore_deleted_zone'];

/** What refuses a rule: a key of the scope, or the scope as a whole, since no scope opens the operation. */
export type ScopeRefusal = ScopeKey | 'scope';

/** A refusal by the scope of the caller's credential, or of the share by which its project sees the zone. */
export interface RefusalByScope {
  readonly key: ScopeRefusal;
  readonly isOfShare: boolean;
}

/** The key of a scope that leaves out parts of zones; undefined if none does. */
export function keyWithinZones({ names, types }: CredentialScope): ScopeKey | undefined {
  if (names !== undefined) return 'names';
  return types === undefined ? undefined : 'types';
}

function refusesActions(scope: CredentialScope, rule: RuleName, isDryRun: boolean): ScopeRefusal | undefined {
  const actions = ACTIONS[rule];
  if (actions === undefined) return 'scope';
  const within = keyWithinZones(scope);
  if (within !== undefined && OF_WHOLE_ZONES.has(rule)) return within;
  if (scope.recordLifetime !== undefined && WITH_RECORDS.includes(rule)) return 'record_lifetime';
  return actions.some((action) => allowsAction(scope, action, isDryRun)) ? undefined : 'actions';
}

/** The key of a scope that refuses a rule on the target; undefined if none does. */
export function scopeRefusal(
  scope: CredentialScope,
  rule: RuleName,
  target: PolicyTarget,
  isDryRun: boolean,
): ScopeRefusal | undefined {
  const { zoneId = '', zoneName, recordsetName, recordsetType: type } = target;
  const zone = zoneName === undefined ? undefined : { id: zoneId, name: zoneName as Fqdn };
  const name = recordsetName as OwnerName | undefined;
  return refusingKey(scope, { zone, name, type }) ?? refusesActions(scope, rule, isDryRun);
}

/** Rules of zones that show no recordsets, so that the scope of a share does not concern them. */
const BESIDE_RECORDSETS: ReadonlySet<RuleName> = new Set<RuleName>([
  'find_zone_shares',
  'get_zone_ns_records',
  'get_zone_publication',
]);

/** What of a share's scope refuses a rule; undefined if nothing does. */
export function shareRefusal(
  scope: ShareScope,
  rule: RuleName,
  target: PolicyTarget,
  isDryRun: boolean,
): ScopeRefusal | undefined {
  return BESIDE_RECORDSETS.has(rule) ? undefined : scopeRefusal(scope, rule, target, isDryRun);
}

/**
 * Like `scopeRefusal`, before the target is known: only what refuses every request by the rule. Whether it is a dry run
 * is not known either.
 */
export function certainRefusal(scope: CredentialScope, rule: RuleName): ScopeRefusal | undefined {
  return refusesActions(scope, rule, true);
}
