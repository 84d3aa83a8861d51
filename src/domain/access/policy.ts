import type { Caller } from '../acts/caller.ts';
import type { RuleName } from './rule-name.ts';

/** What an operation is about. Only what is known of it is given. */
export interface PolicyTarget {
  readonly projectId?: string | undefined;
  readonly userId?: string | undefined;
}

/** Who may do what. The rules are named in docs/policy.md. */
export interface Policy {
  allows(rule: RuleName, caller: Caller, target: PolicyTarget): boolean;
}

/** The policy of commands: whoever can open the store can do anything with it. */
export const EVERYTHING_ALLOWED: Policy = { allows: () => true };
