import { api, dataOf } from '../../api/client.ts';
import { useFetched, useWatch } from '../../api/fetched.ts';
import { may, type Session } from '../../api/session.ts';
import type { Zone, ZonePublication } from '../../api/types.ts';
import { ProblemNotice } from '../../parts/notice.tsx';
import { Text, Time, visible } from '../../parts/text.tsx';
import { onBehalf } from './on-behalf.ts';

type Server = ZonePublication['servers'][number];

const titleOf = ({ host, port }: Server, index: number): string =>
  host === undefined ? `Server ${index + 1}` : `${host}${port === undefined ? '' : ` port ${port}`}`;

function ServerRow({ server, index }: { readonly server: Server; readonly index: number }) {
  const { serial, expected_serial, since, fault } = server;
  const isCurrent = serial !== null && serial === expected_serial;
  return (
    <tr>
      <th scope="row">
        <bdi>{visible(titleOf(server, index))}</bdi>
      </th>
      <td>
        {serial === null ? <span class="quiet">none</span> : serial}{' '}
        {!isCurrent && expected_serial !== null && <span class="quiet">(expected {expected_serial})</span>}
      </td>
      <td>
        {since !== null && (
          <div>
            <Time at={since} />
          </div>
        )}
        <Text text={fault} />
      </td>
    </tr>
  );
}

function Servers({ servers }: Pick<ZonePublication, 'servers'>) {
  if (servers.length === 0) return <p class="quiet">The pool has no servers to publish to.</p>;
  return (
    <div class="scrolled">
      <table>
        <caption class="unseen">Serial on each server</caption>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">Serial</th>
            <th scope="col">Since</th>
          </tr>
        </thead>
        <tbody>
          {servers.map((server, index) => (
            <ServerRow key={titleOf(server, index)} server={server} index={index} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NameServers({ session, zone }: { readonly session: Session; readonly zone: Zone }) {
  const params = { path: { zone_id: zone.id } };
  const nameServers = useFetched(
    (signal) =>
      dataOf(api.GET('/v2/zones/{zone_id}/nameservers', { params, headers: onBehalf(session), signal })),
    [zone.id],
  );
  return (
    <>
      <ProblemNotice problem={nameServers.problem} />
      <ul class="rows">
        {nameServers.data?.nameservers.map(({ hostname, priority }) => (
          <li key={hostname}>
            <bdi class="name">{visible(hostname)}</bdi>
            <span class="quiet">priority {priority}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Publication({ session, zone }: { readonly session: Session; readonly zone: Zone }) {
  const params = { path: { zone_id: zone.id } };
  const publication = useFetched(
    (signal) =>
      dataOf(api.GET('/v2/zones/{zone_id}/publication', { params, headers: onBehalf(session), signal })),
    [zone.id, zone.status, zone.serial],
  );
  const { data, problem } = publication;
  useWatch(publication, data?.status === 'PENDING');
  return (
    <>
      <ProblemNotice problem={problem} />
      {data?.pending_since && (
        <p>
          Pending since <Time at={data.pending_since} />.
        </p>
      )}
      {data?.error && (
        <p class="fault">
          <Text text={data.error} />
        </p>
      )}
      {data?.advice !== undefined && (
        <p>
          <Text text={data.advice} />
        </p>
      )}
      {data !== undefined && <Servers servers={data.servers} />}
    </>
  );
}

/** The name servers of a zone, and the serial on each of them. */
export function ZonePublicationCard({ session, zone }: { readonly session: Session; readonly zone: Zone }) {
  return (
    <section class="card">
      <h2>Name servers</h2>
      {may(session, 'get_zone_ns_records') && <NameServers session={session} zone={zone} />}
      {may(session, 'get_zone_publication') && <Publication session={session} zone={zone} />}
    </section>
  );
}
