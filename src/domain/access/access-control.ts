import { type Caller, NO_PROJECT } from '../../model/access/caller.ts';
import type { Policy, PolicyTarget } from '../../model/access/policy.ts';
import { RULE_NAMES, type RuleName } from '../../model/access/rule-name.ts';
import type { Origin, RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { CredentialScope } from '../../model/scopes/credential-scope.ts';
import type { RefusalReporter } from '../events/refusals.ts';
import {
  certainRefusal,
  keyWithinZones,
  type RefusalByScope,
  type ScopeRefusal,
  scopeRefusal,
  shareRefusal,
} from './scoped-rules.ts';

/** On whose behalf a caller asks to act, other than itself. */
export interface RequestedScope {
  /** The project to act for, if the caller names one. */
  readonly projectId?: string | undefined;
  readonly allProjects: boolean;
  /** True if the caller asks to change managed records. */
  readonly editsManaged: boolean;
}

/**
 * What a credential with a scope reaches of an operation: whatever its scope allows, or only what concerns whole zones,
 * for scopes without names and types.
 */
export type ScopedReach = 'by scope' | 'whole zones';

/** Built-in roles, weakest first: each has the rights of those before it. Custom roles follow. */
const BUILT_IN = ['reader', 'member', 'admin'];

const SCOPE_HINT =
  'The token is unscoped. Request one scoped to a project or, as an administrator, to the system.';

const NOT_SCOPED = 'A credential with a scope cannot be used for this.';
const NOT_SHARED = 'A share with a scope does not allow this.';

function scopeDenial({ key, isOfShare }: RefusalByScope, { caller }: RequestContext): DomainError {
  const credential = caller.credential?.kind === 'key' ? 'TSIG key' : 'token';
  const whose = isOfShare ? 'share' : credential;
  const notAtAll = isOfShare ? NOT_SHARED : NOT_SCOPED;
  const message =
    key === 'scope' ? notAtAll : `The scope of the ${whose} does not allow this: "${key}" refuses it.`;
  // Another scope of the credential would not help against that of a share.
  return new DomainError('access_denied', message, { details: isOfShare ? {} : { scope: key } });
}

const ofCredential = (key: ScopeRefusal | undefined): RefusalByScope | undefined =>
  key && { key, isOfShare: false };

/** @param reach undefined for operations that no scope opens */
function refusalOfReach(scope: CredentialScope, reach: ScopedReach | undefined): ScopeRefusal | undefined {
  if (reach === undefined) return 'scope';
  return reach === 'by scope' ? undefined : keyWithinZones(scope);
}

type Answer = (context: RequestContext, rule: RuleName, target: PolicyTarget) => boolean;

function rulesFor(caller: Caller, policy: Policy): readonly RuleName[] {
  const { projectId, userId, credential } = caller;
  const target = { projectId, userId, recordsetProjectId: projectId, zoneShared: 'False' } as const;
  const scope = credential?.scope;
  const isRefused = (rule: RuleName) => (scope ? certainRefusal(scope, rule) !== undefined : false);
  return RULE_NAMES.filter((rule) => policy.mayAllow(rule, caller, target) && !isRefused(rule));
}

/** What the scope of the caller's credential, and then that of the share, say to a rule that the policy allows. */
function refusalByScope(
  context: RequestContext,
  rule: RuleName,
  target: PolicyTarget,
): RefusalByScope | undefined {
  const scope = context.caller.credential?.scope;
  const isDryRun = context.isDryRun === true;
  const key = scope ? scopeRefusal(scope, rule, target, isDryRun) : undefined;
  if (key !== undefined) return { key, isOfShare: false };
  const ofShare = target.shareScope && shareRefusal(target.shareScope, rule, target, isDryRun);
  return ofShare && { key: ofShare, isOfShare: true };
}

function certainlyRefused({ caller }: RequestContext, rule: RuleName): RefusalByScope | undefined {
  const scope = caller.credential?.scope;
  return scope ? ofCredential(certainRefusal(scope, rule)) : undefined;
}

/** The only code that queries the policy, and the scopes of credentials. Each refusal is published as an event. */
export function accessControl(deps: { policy: Policy; refusals: RefusalReporter }) {
  const { policy, refusals } = deps;

  const allows: Answer = (context, rule, target) =>
    policy.allows(rule, context.caller, target) && refusalByScope(context, rule, target) === undefined;

  /** The refusal by a rule. It names the weakest role that would change it, if any. */
  function denial(
    { caller }: RequestContext,
    rule: RuleName,
    target: PolicyTarget,
    answer: Policy['allows'] = policy.allows,
  ): DomainError {
    const roles = new Set([...BUILT_IN, ...policy.roles]);
    const missing = [...roles].find((role) =>
      answer(rule, { ...caller, roles: [...caller.roles, role] }, target),
    );
    return new DomainError('access_denied', undefined, { details: { rule, missing_role: missing } });
  }

  function refuse(context: RequestContext, rule: RuleName, target: PolicyTarget, error: DomainError): never {
    refusals.report(context, { kind: 'operation', name: rule, projectId: target.projectId }, error);
    throw error;
  }

  function requireBy(
    answer: Policy['allows'],
    refusalOf: (context: RequestContext, rule: RuleName, target: PolicyTarget) => RefusalByScope | undefined,
    context: RequestContext,
    rule: RuleName,
    target: PolicyTarget,
  ): void {
    if (!answer(rule, context.caller, target))
      refuse(context, rule, target, denial(context, rule, target, answer));
    const refusal = refusalOf(context, rule, target);
    if (refusal !== undefined) refuse(context, rule, target, scopeDenial(refusal, context));
  }

  /** @throws DomainError `access_denied` if the rule, or the scope, does not allow the request on the target */
  function require(context: RequestContext, rule: RuleName, target: PolicyTarget): void {
    requireBy(policy.allows, refusalByScope, context, rule, target);
  }

  function isPossible(context: RequestContext, rule: RuleName, target: PolicyTarget): boolean {
    return policy.mayAllow(rule, context.caller, target) && certainlyRefused(context, rule) === undefined;
  }

  /** The SOA record and the NS records at the apex are the only managed records that callers can reach. */
  function requireEdit(context: RequestContext, { editsManaged }: RequestedScope): void {
    if (editsManaged) require(context, 'edit_managed_records', {});
  }

  /** Rejects a token scoped to a domain, or to nothing, whatever roles it grants there. */
  function requireScope(own: RequestContext): void {
    if (own.caller.projectId !== NO_PROJECT || own.caller.systemScope !== undefined) return;
    const error = new DomainError('access_denied', undefined, { hint: SCOPE_HINT });
    refusals.report(own, { kind: 'operation' }, error);
    throw error;
  }

  return {
    allows,
    require,
    denial,

    /** False only if the rule refuses whatever the rest of the target turns out to be. */
    isPossible,
    refusalByScope,
    /** What the policy alone says; undefined if it allows the rule, or may allow it. */
    denialByPolicy: (
      context: RequestContext,
      rule: RuleName,
      target: PolicyTarget,
    ): DomainError | undefined =>
      policy.mayAllow(rule, context.caller, target)
        ? undefined
        : denial(context, rule, target, policy.mayAllow),

    /**
     * Like `require`, before all of the target is known.
     * @throws DomainError `access_denied` if the rule refuses whatever the rest turns out to be
     */
    requirePossible(context: RequestContext, rule: RuleName, target: PolicyTarget): void {
      requireBy(policy.mayAllow, certainlyRefused, context, rule, target);
    },

    /** True if the operator has changed the rule. */
    isOverridden: (rule: RuleName): boolean => policy.overridden.has(rule),

    /** The rules that allow the caller, for its own project and that project's resources. */
    allowedTo: (caller: Caller): readonly RuleName[] => rulesFor(caller, policy),

    /**
     * The context of a request by a caller, for itself or for the project it names.
     * @throws DomainError `access_denied` if it may not act for that project
     */
    actFor(caller: Caller, requested: RequestedScope, origin: Origin): RequestContext {
      const { projectId, credential } = caller;
      const only = credential?.scope ?? undefined;
      const own: RequestContext = { caller, projectId, scope: { projectId, only }, origin };
      requireScope(own);
      const other = requested.projectId === projectId ? undefined : requested.projectId;
      if (other !== undefined) require(own, 'use_sudo', {});
      if (requested.allProjects) require(own, 'all_tenants', {});
      requireEdit(own, requested);
      const actingFor = other ?? projectId;
      return {
        ...own,
        projectId: actingFor,
        scope: requested.allProjects ? 'all projects' : { projectId: actingFor, only },
      };
    },

    /**
     * Refuses a credential with a scope what no scope opens.
     * @param reach undefined for operations that no such credential can use
     * @throws DomainError `access_denied`
     */
    requireReach(context: RequestContext, rule: RuleName, reach: ScopedReach | undefined): void {
      const scope = context.caller.credential?.scope;
      const refusal = scope ? ofCredential(refusalOfReach(scope, reach)) : undefined;
      if (refusal !== undefined) refuse(context, rule, {}, scopeDenial(refusal, context));
    },
  };
}

export type AccessControl = ReturnType<typeof accessControl>;
