import type { Caller } from './caller.ts';
import type { RuleName } from './rule-name.ts';

/** The target of an operation. Only its known properties are given. */
export interface PolicyTarget {
  readonly projectId?: string | undefined;
  readonly userId?: string | undefined;
  /** Of a zone that the act reaches: whether it does so by a share alone. */
  readonly zoneShared?: 'True' | 'False' | undefined;
  /** Of a recordset: whose it is. */
  readonly recordsetProjectId?: string | undefined;
}

/** Who may do what. The rules are named in docs/policy.md. */
export interface Policy {
  allows(rule: RuleName, caller: Caller, target: PolicyTarget): boolean;
  /** Every role that a rule uses, in lower case. */
  readonly roles: readonly string[];
}

/**
 * The policy of commands: whoever can open the store can do anything with it.
 * @param inForce the policy that the service goes by, which knows the roles; it is read when they are asked for
 */
export function everythingAllowed(inForce: () => Policy): Policy {
  return {
    allows: () => true,
    get roles() {
      return inForce().roles;
    },
  };
}
