import type { Caller } from '../../model/access/caller.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { AccessControl } from './access-control.ts';

/** A caller, and its permissions. */
export interface KnownCaller extends Caller {
  /** The rules that allow it in its own project. */
  readonly operations: readonly RuleName[];
}

/** The use case of callers who query themselves. */
export function callerUseCases({ access }: { readonly access: AccessControl }) {
  return {
    /** Returns the caller itself, even if it acts for another project. */
    async get(context: RequestContext): Promise<KnownCaller> {
      access.require(context, 'get_caller', { projectId: context.projectId });
      return { ...context.caller, operations: access.allowedTo(context.caller) };
    },
  };
}

export type CallerUseCases = ReturnType<typeof callerUseCases>;
