import { type Caller, NO_PROJECT } from '../../model/access/caller.ts';
import type { Policy, PolicyTarget } from '../../model/access/policy.ts';
import { RULE_NAMES, type RuleName } from '../../model/access/rule-name.ts';
import type { Act, Origin } from '../../model/acts/act.ts';
import { DomainError } from '../../model/errors.ts';
import type { Refusals } from '../events/refusals.ts';

/** For whom a caller asks to act, other than itself. */
export interface Wish {
  /** Another project, which the caller names. */
  readonly projectId?: string | undefined;
  readonly allProjects: boolean;
  /** Whether it asks to change managed records. */
  readonly editsManaged: boolean;
}

/** Each role has the rights of those before it; the others come after them. */
const BUILT_IN = ['reader', 'member', 'admin'];

const SCOPE_HINT =
  'The token is for no project. Ask for one that is scoped to a project, or, as an administrator, to the system.';

/** The only place that queries the policy. Each refusal is an event. */
export function accessControl(deps: { policy: Policy; refusals: Refusals }) {
  const { policy, refusals } = deps;

  function allows(act: Act, rule: RuleName, target: PolicyTarget): boolean {
    return policy.allows(rule, act.caller, target);
  }

  /** The least role that would let the caller do it; undefined if none would. */
  function missingRole({ caller }: Act, rule: RuleName, target: PolicyTarget): string | undefined {
    const roles = new Set([...BUILT_IN, ...policy.roles]);
    return [...roles].find((role) =>
      policy.allows(rule, { ...caller, roles: [...caller.roles, role] }, target),
    );
  }

  /** @throws DomainError `access_denied` where the rule does not allow the act on the target */
  function require(act: Act, rule: RuleName, target: PolicyTarget): void {
    if (allows(act, rule, target)) return;
    const error = new DomainError('access_denied', undefined, {
      details: { rule, missing_role: missingRole(act, rule, target) },
    });
    refusals.report(act, { kind: 'operation', name: rule, projectId: target.projectId }, error);
    throw error;
  }

  /** Nothing that a caller could reach is managed but the SOA and the NS at the apex, which the service keeps itself. */
  function requireEdit(act: Act, { editsManaged }: Wish): void {
    if (editsManaged) require(act, 'edit_managed_records', {});
  }

  /** A token for a domain, or for nothing at all, is like one without the role, whatever it grants there. */
  function requireScope(own: Act): void {
    if (own.caller.projectId !== NO_PROJECT || own.caller.systemScope !== undefined) return;
    const error = new DomainError('access_denied', undefined, { hint: SCOPE_HINT });
    refusals.report(own, { kind: 'operation' }, error);
    throw error;
  }

  return {
    allows,
    require,

    /** The rules that allow a caller what they guard, about its own project and what belongs to it. */
    allowedTo(caller: Caller): readonly RuleName[] {
      const { projectId, userId } = caller;
      const target = { projectId, userId, recordsetProjectId: projectId, zoneShared: 'False' } as const;
      return RULE_NAMES.filter((rule) => policy.allows(rule, caller, target));
    },

    /**
     * The act of a caller, for itself or for the project it names.
     * @throws DomainError `access_denied` where it may not act for them
     */
    actFor(caller: Caller, wish: Wish, origin: Origin): Act {
      const { projectId } = caller;
      const own: Act = { caller, projectId, scope: { projectId }, origin };
      requireScope(own);
      const other = wish.projectId === projectId ? undefined : wish.projectId;
      if (other !== undefined) require(own, 'use_sudo', {});
      if (wish.allProjects) require(own, 'all_tenants', {});
      requireEdit(own, wish);
      const actingFor = other ?? projectId;
      return {
        ...own,
        projectId: actingFor,
        scope: wish.allProjects ? 'all projects' : { projectId: actingFor },
      };
    },
  };
}

export type AccessControl = ReturnType<typeof accessControl>;
