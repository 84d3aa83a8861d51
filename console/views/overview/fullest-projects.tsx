import { useFetched } from '../../api/fetched.ts';
import { Bar } from '../../parts/bar.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { counted, Time, visible } from '../../parts/text.tsx';
import { projectsByFullness } from '../quotas/by-fullness.ts';
import { fullnessOf } from '../quotas/fullness.ts';

const MAX_PROJECTS = 8;

/** The projects closest to a limit. */
export function FullestProjects() {
  const usage = useFetched((signal) => projectsByFullness({}, MAX_PROJECTS, signal), []);
  const rows = usage.data?.rows.slice(0, MAX_PROJECTS) ?? [];
  return (
    <section class="card">
      <h2>Projects closest to their limits</h2>
      <ProblemNotice problem={usage.problem} />
      {usage.data !== undefined && rows.length === 0 && <p class="quiet">No usage yet.</p>}
      <ul class="measures">
        {rows.map((row) => (
          <li key={row.project_id}>
            <p>
              <bdi class="project">{visible(row.project_id)}</bdi>
              <span class="quiet">{counted(row.usage.zones, 'zone')}</span>
            </p>
            <Bar label={`Usage of ${row.project_id}`} percentage={fullnessOf(row)} />
          </li>
        ))}
      </ul>
      {usage.data?.asOf && (
        <p class="quiet">
          As of <Time at={usage.data.asOf} />.
        </p>
      )}
    </section>
  );
}
