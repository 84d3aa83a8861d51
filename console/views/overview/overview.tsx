import { api, dataOf } from '../../api/client.ts';
import { useFetched } from '../../api/fetched.ts';
import { may } from '../../api/session.ts';
import { ProblemNotice } from '../../parts/notice.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { hrefOf } from '../../place.ts';
import type { ViewProps } from '../../view-props.ts';
import { FullestProjects } from './fullest-projects.tsx';
import { NewestEvents } from './newest-events.tsx';
import { OwnUsage } from './own-usage.tsx';
import { PlaceholderNotice } from './placeholder.tsx';
import { Publication } from './publication.tsx';
import { Refusals } from './refusals.tsx';
import { ZonesByStatus } from './zones-by-status.tsx';

/** The overview for operators. */
export function OverviewView({ session }: ViewProps) {
  const isForAll = may(session, 'get_statistics');
  const statistics = useFetched(
    isForAll ? (signal) => dataOf(api.GET('/v2/statistics', { signal })) : undefined,
    [session.token],
  );
  const projectId = session.caller.project_id;
  return (
    <>
      <h1 tabIndex={-1}>Overview</h1>
      <ProblemNotice problem={statistics.problem} />
      <Waiting isSlow={statistics.isSlow} />
      {may(session, 'find_pools') && <PlaceholderNotice session={session} />}
      <div class="cards">
        <ZonesByStatus session={session} statistics={statistics.data} />
        <Publication session={session} statistics={statistics.data} />
        {projectId !== null && may(session, 'find_zones') && <OwnUsage projectId={projectId} />}
        {statistics.data !== undefined && <Refusals statistics={statistics.data} session={session} />}
        {may(session, 'get_usage') && <FullestProjects />}
        {may(session, 'find_events') && <NewestEvents />}
      </div>
      {may(session, 'check_blacklists') && (
        <p class="quiet">
          <a href={hrefOf('names')}>Check whether a name can be created</a>
        </p>
      )}
    </>
  );
}
