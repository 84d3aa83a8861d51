import type { RequestContext } from '../../model/context/request-context.ts';
import type { Page } from '../../model/lists.ts';
import type { ProjectUsage, UsageQuery } from '../../model/usage/project-usage.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';

/** The use case that lists the usage of all projects. */
export function usageUseCases({ store, access }: Pick<UseCaseDeps, 'store' | 'access'>) {
  return {
    /** One page of the results of the last passes; each entry is at least as new as the page says. */
    async list(context: RequestContext, query: UsageQuery): Promise<Page<ProjectUsage>> {
      access.require(context, 'get_usage', { projectId: context.projectId });
      const asOf = await store.usage.asOf();
      return { ...(await store.usage.list(query, undefined, context.caller.projectId)), asOf };
    },
  };
}

export type UsageUseCases = ReturnType<typeof usageUseCases>;
