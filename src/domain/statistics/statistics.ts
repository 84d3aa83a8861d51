import { earlier } from '../../model/clock.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { NamedRefusalCount } from '../../model/events/store.ts';
import type { ZoneStatus } from '../../model/zones/zone.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';

const HOURS_SHOWN = 48;
const HOUR = 3_600_000;
const HOUR_DIGITS = 13;
/** Maximum number of refusal counters shown; within an hour, the most frequent. */
const MAX_REFUSALS = 1000;

export interface Statistics {
  readonly zones: Readonly<Record<ZoneStatus, number>>;
  /** Refusals of the last 48 hours and the current hour. Patterns are included for callers who may read blacklists. */
  readonly refusals: readonly NamedRefusalCount[];
  /** True if there are more counters than shown. */
  readonly moreRefusals: boolean;
  readonly waiting: { readonly orders: number; readonly since: string };
}

/** Statistics of the whole store. They use the counters of the projects and never count all zones. */
export function statisticsUseCases({ store, clock, access }: Omit<UseCaseDeps, 'unitOfWork'>) {
  return {
    async get(context: RequestContext): Promise<Statistics> {
      access.require(context, 'get_statistics', { projectId: context.projectId });
      const namesPatterns = access.allows(context, 'get_blacklist', { projectId: context.projectId });
      const { projectId } = context.caller;
      const since = earlier(clock.now(), HOURS_SHOWN * HOUR).slice(0, HOUR_DIGITS);
      // One query at a time: they share a lane, and a slow store should not get more load.
      const { total, others } = await store.statistics.zones(projectId);
      const { PENDING = 0, ERROR = 0 } = others;
      const refusals = await store.events.refusals(since, MAX_REFUSALS + 1, projectId);
      const waiting = await store.statistics.waiting(projectId);
      return {
        zones: { ACTIVE: Math.max(0, total - PENDING - ERROR), PENDING, ERROR },
        refusals: refusals
          .slice(0, MAX_REFUSALS)
          .map((one) => (namesPatterns ? one : { ...one, pattern: null })),
        moreRefusals: refusals.length > MAX_REFUSALS,
        waiting,
      };
    },
  };
}

export type StatisticsUseCases = ReturnType<typeof statisticsUseCases>;
