import type { Caller } from '../../model/access/caller.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import type { Act } from '../../model/acts/act.ts';
import type { AccessControl } from './access-control.ts';

/** A caller, and what it may do. */
export interface KnownCaller extends Caller {
  /** The rules that allow it what they guard, in its own project. */
  readonly operations: readonly RuleName[];
}

/** The use case of callers who ask about themselves. */
export function callerUseCases({ access }: { readonly access: AccessControl }) {
  return {
    /** The caller itself, whoever it acts for. */
    async get(act: Act): Promise<KnownCaller> {
      access.require(act, 'get_caller', { projectId: act.projectId });
      return { ...act.caller, operations: access.allowedTo(act.caller) };
    },
  };
}

export type CallerUseCases = ReturnType<typeof callerUseCases>;
