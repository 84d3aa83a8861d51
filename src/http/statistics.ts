import type { Statistics, StatisticsUseCases } from '../domain/statistics/statistics.ts';
import { actingProject, type Route, route } from './route.ts';

function toWire({ zones, refusals, moreRefusals, waiting }: Statistics) {
  return {
    zones,
    refusals: refusals.map(({ hour, type, blacklistId, count }) => ({
      hour: `${hour}:00:00.000000`,
      type,
      blacklist_id: blacklistId || null,
      count,
    })),
    more_refusals: moreRefusals,
    publication: { waiting: waiting.orders, oldest: waiting.since || null },
  };
}

/** Figures of the whole service. */
export function statisticsRoutes(statistics: StatisticsUseCases): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v2/statistics',
      guard: actingProject('get_statistics'),
      handle: async ({ act }) => ({ status: 200, body: toWire(await statistics.get(act)) }),
    }),
  ];
}
