import type { Statistics, StatisticsUseCases } from '../domain/statistics/statistics.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesWith } from './edge/responses.ts';
import { actingProject, type Route, route } from './edge/route.ts';

const count = responseSchema.integer({ minimum: 0 });
const refusal = responseSchema.object({
  hour: responseSchema.time,
  type: responseSchema.text({ examples: ['blacklisted_name'] }),
  blacklist_id: responseSchema.nullable(responseSchema.id),
  pattern: responseSchema.nullable(
    responseSchema.text({
      description:
        'Pattern of the blacklist entry; null if it was deleted or the caller lacks get_blacklist.',
      examples: [String.raw`(^|\.)example\.com\.$`],
    }),
  ),
  count,
});
const shown = responseSchema.titled(
  'Statistics',
  responseSchema.object({
    zones: responseSchema.object({ ACTIVE: count, PENDING: count, ERROR: count }),
    refusals: responseSchema.list(refusal),
    more_refusals: responseSchema.flag,
    publication: responseSchema.object({
      waiting: count,
      oldest: responseSchema.nullable(responseSchema.time),
    }),
  }),
);

function toWire({ zones, refusals, moreRefusals, waiting }: Statistics): ResponseBody<typeof shown> {
  return {
    zones,
    refusals: refusals.map(({ hour, type, blacklistId, pattern, count }) => ({
      hour: `${hour}:00:00.000000`,
      type,
      blacklist_id: blacklistId || null,
      pattern,
      count,
    })),
    more_refusals: moreRefusals,
    publication: { waiting: waiting.orders, oldest: waiting.since || null },
  };
}

/** Statistics of the whole service. */
export function statisticsRoutes(statistics: StatisticsUseCases): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v2/statistics',
      guard: actingProject('get_statistics'),
      responses: responsesWith(200, shown),
      refusals: ['slow_read', 'too_many_reads'],
      handle: async ({ context }) => ({ status: 200, body: toWire(await statistics.get(context)) }),
    }),
  ];
}
