import { api, dataOf } from '../../api/client.ts';
import { useFetched } from '../../api/fetched.ts';
import { may, type Session } from '../../api/session.ts';
import type { Statistics } from '../../api/types.ts';
import { grouped } from '../../parts/text.tsx';
import { hrefOf } from '../../place.ts';

const STATUSES = ['ACTIVE', 'PENDING', 'ERROR'] as const;
type Status = (typeof STATUSES)[number];

async function counted(status: Status | undefined, signal: AbortSignal): Promise<number> {
  const query = { status, limit: 1 };
  const { metadata } = await dataOf(api.GET('/v2/zones', { params: { query }, signal }));
  return metadata.total_count ?? 0;
}

/** Counts zones by status. ACTIVE is computed: counting a million of them is slow, and the service knows the total. */
async function countsOf(signal: AbortSignal): Promise<Statistics['zones']> {
  const [all, PENDING, ERROR] = await Promise.all([
    counted(undefined, signal),
    counted('PENDING', signal),
    counted('ERROR', signal),
  ]);
  return { ACTIVE: Math.max(0, all - PENDING - ERROR), PENDING, ERROR };
}

/** Number of zones by status: of all projects for callers who may see statistics, otherwise of their own project. */
export function ZonesByStatus({
  session,
  statistics,
}: {
  readonly session: Session;
  readonly statistics: Statistics | undefined;
}) {
  const isForAll = may(session, 'get_statistics');
  const own = useFetched(isForAll ? undefined : countsOf, [session.token]);
  const zones = isForAll ? statistics?.zones : own.data;
  return (
    <section class="card">
      <h2>Zones</h2>
      <dl class="figures">
        {STATUSES.map((status) => (
          <div key={status} class={`figure ${status.toLowerCase()}`}>
            <dt>
              <span class={`status ${status}`}>{status}</span>
            </dt>
            <dd>
              <a href={hrefOf('zones', { status })}>{zones === undefined ? '–' : grouped(zones[status])}</a>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
