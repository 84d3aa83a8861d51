import { api, dataOf } from '../../api/client.ts';
import { useFetched } from '../../api/fetched.ts';
import type { QuotaUsage } from '../../api/types.ts';
import { Bar } from '../../parts/bar.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { grouped, sized, visible } from '../../parts/text.tsx';

interface Measure {
  readonly title: string;
  readonly used: number;
  readonly limit: number;
  readonly percentage: number | null;
  readonly where?: string | undefined;
  readonly write: (number: number) => string;
}

function measuresOf({
  limits,
  usage,
  fullest_zone,
  largest_zone,
  max_zone_size,
  percentages,
}: QuotaUsage): Measure[] {
  const fullest = fullest_zone?.name;
  return [
    { title: 'Zones', used: usage.zones, limit: limits.zones, percentage: percentages.zones, write: grouped },
    {
      title: 'Recordsets in the fullest zone',
      used: fullest_zone?.recordsets ?? 0,
      limit: limits.zone_recordsets,
      percentage: percentages.zone_recordsets,
      where: fullest,
      write: grouped,
    },
    {
      title: 'Records in the fullest zone',
      used: fullest_zone?.records ?? 0,
      limit: limits.zone_records,
      percentage: percentages.zone_records,
      where: fullest,
      write: grouped,
    },
    {
      title: 'Size of the largest zone',
      used: largest_zone?.bytes ?? 0,
      limit: max_zone_size,
      percentage: percentages.max_zone_size,
      where: largest_zone?.name,
      write: sized,
    },
  ];
}

/** Usage of the user's own project. */
export function OwnUsage({ projectId }: { readonly projectId: string }) {
  const usage = useFetched(
    (signal) =>
      dataOf(
        api.GET('/v2/quotas/{project_id}/usage', { params: { path: { project_id: projectId } }, signal }),
      ),
    [projectId],
  );
  return (
    <section class="card">
      <h2>
        Usage of <bdi>{visible(projectId)}</bdi>
      </h2>
      <ProblemNotice problem={usage.problem} />
      <ul class="measures">
        {usage.data !== undefined &&
          measuresOf(usage.data).map(({ title, used, limit, percentage, where, write }) => (
            <li key={title}>
              <p>
                <span title={where}>{title}</span>
                <span class="quiet">
                  {write(used)} {limit < 0 ? '' : `of ${write(limit)}`}
                </span>
              </p>
              <Bar label={title} percentage={percentage} />
            </li>
          ))}
      </ul>
    </section>
  );
}
