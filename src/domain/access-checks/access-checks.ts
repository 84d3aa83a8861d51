/** Tells callers what they may do, and what refuses it. Changes nothing. */
import type { Fqdn, OwnerName } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { PolicyTarget } from '../../model/access/policy.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, invalidObject } from '../../model/errors.ts';
import { type Limits, limitsOf, requireCapacity } from '../../model/quotas/quota.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { ScopedAction } from '../../model/scopes/credential-scope.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { RefusalByScope } from '../access/scoped-rules.ts';
import { admissionCheck, OWNER_NAMES } from '../blacklists/name-admission.ts';
import { createAdmitted, requireUnchanged } from '../blacklists/unchanged-blacklists.ts';
import { protectionFault } from '../protection/protection.ts';
import { readable } from '../recordsets/own-recordset.ts';
import type { OwnerNameCheck } from '../recordsets/recordset-creation.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { newZoneTarget } from '../zones/creation-rules.ts';
import { shownQuota } from '../zones/shown-quota.ts';
import { policyTarget } from '../zones/visible-zone.ts';
import type { ZoneCheckUseCases } from '../zones/zone-checks.ts';

/** What can refuse an action, in the order in which it is asked. */
export const REFUSERS = ['roles', 'policy', 'scope', 'share', 'protection', 'blacklist', 'quota'] as const;

/** A zone by its id or by its name. */
export type ZoneReference = { readonly id: string } | { readonly name: Fqdn };

export interface AccessQuestion {
  /** A zone by its id or its name; for `create_zone` the name of the new one. */
  readonly zone: ZoneReference;
  readonly name?: OwnerName | undefined;
  readonly type?: StoredType | undefined;
  readonly action: ScopedAction;
}

export interface AccessRefusal {
  readonly refusedBy: (typeof REFUSERS)[number];
  /** The key of the scope that refuses: the credential's, or the share's. */
  readonly key?: string | undefined;
  readonly message: string;
}

export interface AccessCheckDeps extends Pick<UseCaseDeps, 'store' | 'clock' | 'access'> {
  readonly zoneChecks: ZoneCheckUseCases;
  /** Limits of projects without their own. */
  readonly quotas: Limits;
  /** Set if the blacklists also apply to the names of records. */
  readonly ownerNames: OwnerNameCheck | undefined;
}

const RULES: Readonly<Record<ScopedAction, RuleName>> = {
  create: 'create_recordset',
  update: 'update_recordset',
  delete: 'delete_recordset',
  create_zone: 'create_zone',
  update_zone: 'update_zone',
  delete_zone: 'delete_zone',
  create_token: 'create_own_token',
  plan: 'change_recordsets',
  read: 'get_zone',
};

/** Kinds of refusals by a rule that is none of the policy. */
const BY_KIND: Partial<Readonly<Record<DomainError['kind'], AccessRefusal['refusedBy']>>> = {
  blacklisted_name: 'blacklist',
  unchecked_name: 'blacklist',
  blacklisted_recordset: 'blacklist',
  unchecked_recordset: 'blacklist',
  over_quota: 'quota',
};

function ruleOf({ action, name, type }: AccessQuestion): RuleName {
  const isOfRecordset = action === 'read' && (name !== undefined || type !== undefined);
  return isOfRecordset ? 'get_recordset' : RULES[action];
}

/** @throws DomainError `invalid_object` */
function requireInside(name: OwnerName | undefined, zone: Fqdn): void {
  if (name === undefined || name === (zone as OwnerName) || name.endsWith(`.${zone}`)) return;
  throw invalidObject([{ path: ['name'], message: `Must be ${zone} or a name below it.` }]);
}

function refusalByPolicy(rule: RuleName, { details }: DomainError): AccessRefusal {
  const { missing_role: role } = details;
  if (role === undefined) return { refusedBy: 'policy', message: `The rule ${rule} does not allow it.` };
  return { refusedBy: 'roles', message: `The rule ${rule} needs the role ${role}.` };
}

function refusalBy({ key, isOfShare }: RefusalByScope): AccessRefusal {
  if (key === 'scope')
    return { refusedBy: 'scope', message: 'A credential with a scope cannot be used for this.' };
  if (isOfShare)
    return { refusedBy: 'share', key, message: `The scope of the share refuses it by "${key}".` };
  return { refusedBy: 'scope', key, message: `The scope refuses it by "${key}".` };
}

/** What protects the recordset against the action. */
function refusalByProtection(
  action: ScopedAction,
  recordset: Recordset | undefined,
): AccessRefusal | undefined {
  if (recordset === undefined || (action !== 'update' && action !== 'delete')) return undefined;
  const message = protectionFault(recordset);
  return message === undefined ? undefined : { refusedBy: 'protection', message };
}

/** What protects a zone, or a recordset in it, against its deletion. */
async function refusalOfDeletion(
  { recordsets }: Pick<UseCaseDeps['store'], 'recordsets'>,
  zone: Zone,
): Promise<AccessRefusal | undefined> {
  if (zone.protection === null && !(await recordsets.hasProtected(zone.id))) return undefined;
  const what = zone.protection === null ? 'A recordset of the' : 'The';
  return { refusedBy: 'protection', message: `${what} zone ${zone.name} is protected.` };
}

function refusalOf(error: unknown): AccessRefusal {
  const refusedBy = error instanceof DomainError ? BY_KIND[error.kind] : undefined;
  if (refusedBy === undefined) throw error;
  return { refusedBy, message: (error as DomainError).message };
}

/** The use case of callers who ask what they may do. */
export function accessCheckUseCases(deps: AccessCheckDeps) {
  const { store, clock, access, zoneChecks, quotas, ownerNames } = deps;

  /** @throws DomainError `blacklisted_recordset`, `unchecked_recordset` */
  async function requireAdmitted(context: RequestContext, zone: Zone, name: OwnerName): Promise<void> {
    if (ownerNames === undefined) return;
    const { checker } = ownerNames;
    const admit = admissionCheck({ access, checker }, OWNER_NAMES);
    await createAdmitted(
      checker,
      () => admit(context, name, () => store.recordsets.isInUse(zone.id, name)),
      async (admission) => requireUnchanged(admission, await store.blacklists.present(), clock),
    );
  }

  function refusalByRule(
    context: RequestContext,
    rule: RuleName,
    target: PolicyTarget,
  ): AccessRefusal | undefined {
    const denial = access.denialByPolicy(context, rule, target);
    if (denial !== undefined) return refusalByPolicy(rule, denial);
    const refusal = access.refusalByScope(context, rule, target);
    return refusal && refusalBy(refusal);
  }

  async function findZone({ scope }: RequestContext, asked: ZoneReference): Promise<Zone | undefined> {
    if ('id' in asked) return store.zones.find(asked.id, scope);
    const [found] = await store.zones.seenAmong([asked.name], scope);
    return found && store.zones.find(found.id, scope);
  }

  async function recordsetAt(
    context: RequestContext,
    zone: Zone,
    { name, type }: AccessQuestion,
  ): Promise<Recordset | undefined> {
    if (name === undefined || type === undefined) return undefined;
    const found = await store.planning.atOneState((reads) => reads.atNames(zone.id, [name]));
    return readable(
      context,
      zone,
      found.find((one) => one.type === type),
    );
  }

  /** What refuses a new recordset beside the rules. @throws DomainError */
  async function requireCreatable(
    context: RequestContext,
    zone: Zone,
    { name }: AccessQuestion,
  ): Promise<void> {
    if (name !== undefined && name !== (zone.name as OwnerName)) await requireAdmitted(context, zone, name);
    const limits = limitsOf(await store.projects.state(zone.projectId), quotas);
    requireCapacity('recordset_records', limits.recordset_records, 1, 1);
    requireCapacity('zone_recordsets', limits.zone_recordsets, zone.recordsets + 1, 1);
    requireCapacity('zone_records', limits.zone_records, zone.records + 1, 1);
  }

  async function refusalInZone(
    context: RequestContext,
    zone: Zone,
    question: AccessQuestion,
  ): Promise<AccessRefusal | undefined> {
    const { action, name: recordsetName, type: recordsetType } = question;
    const recordset = await recordsetAt(context, zone, question);
    const target = { ...policyTarget(context, zone), recordsetName, recordsetType };
    const recordsetProjectId = recordset?.projectId ?? context.projectId;
    const refusal =
      refusalByRule(context, ruleOf(question), { ...target, recordsetProjectId }) ??
      refusalByProtection(action, recordset);
    if (refusal !== undefined) return refusal;
    if (action === 'delete_zone') return refusalOfDeletion(store, zone);
    if (action !== 'create' || recordset !== undefined) return undefined;
    return requireCreatable(context, zone, question).then(
      () => undefined,
      (error) => refusalOf(shownQuota(context.scope, zone, error)),
    );
  }

  async function refusalOfNewZone(context: RequestContext, name: Fqdn): Promise<AccessRefusal | undefined> {
    const refusal = refusalByRule(context, 'create_zone', newZoneTarget(context, { name }));
    if (refusal !== undefined) return refusal;
    const { refusal: error } = await zoneChecks.run(context, name);
    if (error === undefined) return undefined;
    return { refusedBy: BY_KIND[error.kind] ?? 'policy', message: error.message };
  }

  return {
    /**
     * The first that refuses an action; undefined if the caller may do it.
     * @throws DomainError `zone_not_found` for a zone that the caller does not see; `invalid_object` for a name outside it
     */
    async run(asking: RequestContext, question: AccessQuestion): Promise<AccessRefusal | undefined> {
      access.require(asking, 'check_access', { projectId: asking.projectId });
      const context = question.action === 'plan' ? { ...asking, isDryRun: true } : asking;
      const zone = await findZone(context, question.zone);
      if (zone !== undefined) {
        requireInside(question.name, zone.name);
        return refusalInZone(context, zone, question);
      }
      if (question.action !== 'create_zone' || 'id' in question.zone) throw new DomainError('zone_not_found');
      return refusalOfNewZone(context, question.zone.name);
    },
  };
}

export type AccessCheckUseCases = ReturnType<typeof accessCheckUseCases>;
