import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Page } from '../../model/lists.ts';
import {
  type ServiceStatus,
  type ServiceStatusQuery,
  silentBefore,
} from '../../model/service-statuses/service-status.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';

/** The use cases of service statuses. */
export function serviceStatusUseCases({ store, clock, access }: Omit<UseCaseDeps, 'unitOfWork'>) {
  return {
    async get(context: RequestContext, id: string): Promise<ServiceStatus> {
      access.require(context, 'find_service_status', { projectId: context.projectId });
      const status = await store.serviceStatuses.find(id, silentBefore(clock.now()));
      if (status === undefined) throw new DomainError('service_status_not_found');
      return status;
    },

    async list(context: RequestContext, query: ServiceStatusQuery): Promise<Page<ServiceStatus>> {
      access.require(context, 'find_service_statuses', { projectId: context.projectId });
      const within = { silentBefore: silentBefore(clock.now()) };
      return store.serviceStatuses.list(query, within, context.caller.projectId);
    },
  };
}

export type ServiceStatusUseCases = ReturnType<typeof serviceStatusUseCases>;
