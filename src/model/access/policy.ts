import type { Caller } from './caller.ts';
import type { RuleName } from './rule-name.ts';

/** The target of an operation, with the properties that are known. */
export interface PolicyTarget {
  readonly projectId?: string | undefined;
  readonly userId?: string | undefined;
  /** For a zone: whether the operation can reach it only through a share. */
  readonly zoneShared?: 'True' | 'False' | undefined;
  /** For a recordset: the project that owns it. */
  readonly recordsetProjectId?: string | undefined;
}

/** Decides who may do what. docs/policy.md lists the rules. */
export interface Policy {
  allows(rule: RuleName, caller: Caller, target: PolicyTarget): boolean;
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
    get roles() {
      return inForce().roles;
    },
  };
}
