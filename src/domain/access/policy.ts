import type { Caller } from './caller.ts';

/** Who may do what. The rules are named in docs/policy.md. */
export interface Policy {
  allows(rule: string, caller: Caller, target: { readonly projectId?: string }): boolean;
}
