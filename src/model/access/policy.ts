import type { ShareScope } from '../scopes/share-scope.ts';
import type { Caller } from './caller.ts';
import type { RuleName } from './rule-name.ts';

/** What is written, or shown: known only once the body is read, or the resource is found. */
export interface WrittenTarget {
  readonly recordsetType?: string | undefined;
  /** In canonical form, like the name of the zone. */
  readonly recordsetName?: string | undefined;
  readonly zoneName?: string | undefined;
  readonly zoneType?: 'PRIMARY' | 'SECONDARY' | undefined;
}

/** The target of an operation, with the properties that are known. */
export interface PolicyTarget extends WrittenTarget {
  /** The id of the zone; undefined for a new one. No policy rule can use it, but scopes do. */
  readonly zoneId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly userId?: string | undefined;
  /** For a zone: whether the operation can reach it only through a share. */
  readonly zoneShared?: 'True' | 'False' | 'unknown' | undefined;
  /** For a zone that is reached through a share: what that narrows. No policy rule can use it. */
  readonly shareScope?: ShareScope | undefined;
  /** For a recordset: the project that owns it. */
  readonly recordsetProjectId?: string | undefined;
}

/** Decides who may do what. docs/policy.md lists the rules. */
export interface Policy {
  allows(rule: RuleName, caller: Caller, target: PolicyTarget): boolean;
  /** False only if the rule does not allow it whatever the missing properties of `WrittenTarget` turn out to be. */
  mayAllow(rule: RuleName, caller: Caller, target: PolicyTarget): boolean;
  /** The rules that the operator has changed. */
  readonly overridden: ReadonlySet<string>;
  /** Every role that a rule uses, in lower case. */
  readonly roles: readonly string[];
}

/**
 * The policy for commands: anyone who can open the store may do anything with it.
 * @param inForce returns the service's policy, which knows the roles; called only when they are needed
 */
export function everythingAllowed(inForce: () => Policy): Policy {
  return {
    allows: () => true,
    mayAllow: () => true,
    get overridden() {
      return inForce().overridden;
    },
    get roles() {
      return inForce().roles;
    },
  };
}
