import type { Parsed } from '../dns/parsed.ts';
import type { UsageUseCases } from '../domain/usage/usages.ts';
import { isProjectId, PROJECT_ID_RULE } from '../model/project-id.ts';
import { percentagesOf } from '../model/quotas/percentages.ts';
import { type ProjectUsage, USAGE_FILTERS, USAGE_SORT_KEYS } from '../model/usage/project-usage.ts';
import type { ResponseBody } from './edge/response-schema.ts';
import type { Route } from './edge/route.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';
import { shownProjectUsage } from './quotas/quota-answers.ts';

function toWire({
  id,
  recordsets,
  used,
  limits,
  percentage,
}: ProjectUsage): ResponseBody<typeof shownProjectUsage> {
  const { zones, zone_recordsets, zone_records, max_zone_size: zone_bytes } = used;
  return {
    project_id: id,
    usage: { zones, recordsets, zone_recordsets, zone_records, zone_bytes },
    limits,
    percentages: percentagesOf(used, limits),
    percentage,
  };
}

function parseProjectId(text: string): Parsed<string> {
  return isProjectId(text) ? { ok: true, value: text } : { ok: false, reason: PROJECT_ID_RULE };
}

/** Lists the usage of all projects. */
export function usageRoute(usages: UsageUseCases, limits: PageLimits): Route {
  return listRoute(
    {
      path: '/v2/usage',
      rule: 'get_usage',
      key: 'usage',
      sortKeys: USAGE_SORT_KEYS,
      descendingFirst: ['percentage'],
      filters: USAGE_FILTERS,
      parseId: parseProjectId,
      operationId: 'listUsage',
      isDated: true,
      sends: shownProjectUsage,
      toWire,
      list: (context, query) => usages.list(context, query),
    },
    limits,
  );
}
