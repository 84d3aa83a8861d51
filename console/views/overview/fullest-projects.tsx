import { useAsked } from '../../api/asked.ts';
import { api, told } from '../../api/client.ts';
import { Bar } from '../../parts/bar.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { grouped, Time, visible } from '../../parts/told.tsx';

const SHOWN = 8;

/** The projects that are nearest to a limit. */
export function FullestProjects() {
  const usage = useAsked(
    (signal) => told(api.GET('/v2/usage', { params: { query: { limit: SHOWN } }, signal })),
    [],
  );
  const rows = usage.data?.usage ?? [];
  return (
    <section class="card">
      <h2>Projects closest to their limits</h2>
      <ProblemNotice problem={usage.problem} />
      {usage.data !== undefined && rows.length === 0 && <p class="quiet">No usage yet.</p>}
      <ul class="measures">
        {rows.map(({ project_id, percentage, usage: { zones } }) => (
          <li key={project_id}>
            <p>
              <bdi class="project">{visible(project_id)}</bdi>
              <span class="quiet">{grouped(zones)} zones</span>
            </p>
            <Bar label={`Usage of ${project_id}`} percentage={percentage} />
          </li>
        ))}
      </ul>
      {usage.data?.as_of && (
        <p class="quiet">
          As of <Time at={usage.data.as_of} />.
        </p>
      )}
    </section>
  );
}
