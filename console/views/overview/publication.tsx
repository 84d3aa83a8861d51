import { api, dataOf, OF_ALL_PROJECTS } from '../../api/client.ts';
import { useFetched } from '../../api/fetched.ts';
import { may, type Session } from '../../api/session.ts';
import type { Statistics } from '../../api/types.ts';
import { ageOf, DnsName, grouped } from '../../parts/text.tsx';

const SHOWN = 5;

/** @param isWaiting whether zones are pending: those that servers need not be given wait for their masters */
function Summary({
  statistics,
  isWaiting,
}: {
  readonly statistics: Statistics | undefined;
  readonly isWaiting: boolean;
}) {
  if (statistics === undefined) return null;
  const { waiting, oldest } = statistics.publication;
  if (waiting === 0)
    return <p>{isWaiting ? 'Secondary zones wait for their masters:' : 'Everything is published.'}</p>;
  return (
    <p>
      <strong class="large-number">{grouped(waiting)}</strong> {waiting === 1 ? 'zone' : 'zones'} pending
      {oldest !== null && `, the oldest for ${ageOf(oldest)}`}.
    </p>
  );
}

/** Zones that wait for publication, and for how long. */
export function Publication({
  session,
  statistics,
}: {
  readonly session: Session;
  readonly statistics: Statistics | undefined;
}) {
  const isForAll = may(session, 'get_statistics');
  const headers = isForAll && may(session, 'all_tenants') ? OF_ALL_PROJECTS : {};
  const pending = useFetched(
    (signal) => {
      const query = { status: 'PENDING', limit: SHOWN, sort_key: 'updated_at' as const };
      return dataOf(api.GET('/v2/zones', { params: { query }, headers, signal }));
    },
    [session.token],
  );
  const zones = pending.data?.zones ?? [];
  return (
    <section class="card">
      <h2>Pending publication</h2>
      <Summary statistics={statistics} isWaiting={zones.length > 0} />
      {!isForAll && pending.data !== undefined && zones.length === 0 && <p>Everything is published.</p>}
      <ul class="rows">
        {zones.map(({ id, name, updated_at, created_at }) => (
          <li key={id}>
            <DnsName name={name} />
            <span class="quiet">{ageOf(updated_at ?? created_at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
