import { type Caller, NO_PROJECT } from '../../model/access/caller.ts';
import type { Policy, PolicyTarget } from '../../model/access/policy.ts';
import { RULE_NAMES, type RuleName } from '../../model/access/rule-name.ts';
import type { Origin, RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { RefusalReporter } from '../events/refusals.ts';

/** On whose behalf a caller asks to act, other than itself. */
export interface RequestedScope {
  /** The project to act for, if the caller names one. */
  readonly projectId?: string | undefined;
  readonly allProjects: boolean;
  /** True if the caller asks to change managed records. */
  readonly editsManaged: boolean;
}

/** Built-in roles, weakest first: each has the rights of those before it. Custom roles follow. */
const BUILT_IN = ['reader', 'member', 'admin'];

const SCOPE_HINT =
  'The token is unscoped. Request one scoped to a project or, as an administrator, to the system.';

/** The only code that queries the policy. Each refusal is published as an event. */
export function accessControl(deps: { policy: Policy; refusals: RefusalReporter }) {
  const { policy, refusals } = deps;

  function allows(context: RequestContext, rule: RuleName, target: PolicyTarget): boolean {
    return policy.allows(rule, context.caller, target);
  }

  /** The weakest role that would allow it; undefined if no role would. */
  function missingRole({ caller }: RequestContext, rule: RuleName, target: PolicyTarget): string | undefined {
    const roles = new Set([...BUILT_IN, ...policy.roles]);
    return [...roles].find((role) =>
      policy.allows(rule, { ...caller, roles: [...caller.roles, role] }, target),
    );
  }

  /** @throws DomainError `access_denied` if the rule does not allow the request on the target */
  function require(context: RequestContext, rule: RuleName, target: PolicyTarget): void {
    if (allows(context, rule, target)) return;
    const error = new DomainError('access_denied', undefined, {
      details: { rule, missing_role: missingRole(context, rule, target) },
    });
    refusals.report(context, { kind: 'operation', name: rule, projectId: target.projectId }, error);
    throw error;
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

    /** The rules that allow the caller, for its own project and that project's resources. */
    allowedTo(caller: Caller): readonly RuleName[] {
      const { projectId, userId } = caller;
      const target = { projectId, userId, recordsetProjectId: projectId, zoneShared: 'False' } as const;
      return RULE_NAMES.filter((rule) => policy.allows(rule, caller, target));
    },

    /**
     * The context of a request by a caller, for itself or for the project it names.
     * @throws DomainError `access_denied` if it may not act for that project
     */
    actFor(caller: Caller, requested: RequestedScope, origin: Origin): RequestContext {
      const { projectId } = caller;
      const own: RequestContext = { caller, projectId, scope: { projectId }, origin };
      requireScope(own);
      const other = requested.projectId === projectId ? undefined : requested.projectId;
      if (other !== undefined) require(own, 'use_sudo', {});
      if (requested.allProjects) require(own, 'all_tenants', {});
      requireEdit(own, requested);
      const actingFor = other ?? projectId;
      return {
        ...own,
        projectId: actingFor,
        scope: requested.allProjects ? 'all projects' : { projectId: actingFor },
      };
    },
  };
}

export type AccessControl = ReturnType<typeof accessControl>;
