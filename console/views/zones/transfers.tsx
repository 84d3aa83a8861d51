import { useState } from 'preact/hooks';
import { api, dataOf } from '../../api/client.ts';
import { useFetched } from '../../api/fetched.ts';
import { may, type Session } from '../../api/session.ts';
import type { ZoneTransferRequest } from '../../api/types.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { announce } from '../../parts/notice.tsx';
import { type Column, markerIn, Table } from '../../parts/table.tsx';
import { DnsName, Text, Time, visible } from '../../parts/text.tsx';
import { goTo, hrefOf } from '../../place.ts';
import type { ViewProps } from '../../view-props.ts';
import { AcceptDialog } from './accept-dialog.tsx';

const PATH = 'zones/transfers';
const ACCEPT = 'accept';
const PER_PAGE = 50;
const SORT_KEYS = ['created_at', 'status'] as const;

function columnsFor(
  session: Session,
  cancel: (one: ZoneTransferRequest) => void,
): Column<ZoneTransferRequest>[] {
  return [
    {
      title: 'Zone',
      kind: 'wide',
      cell: ({ zone_name, zone_id, project_id, description }) => (
        <>
          <DnsName
            name={zone_name}
            href={project_id === session.caller.project_id ? hrefOf(`zones/${zone_id}`) : undefined}
          />
          <div class="quiet">
            <Text text={description} />
          </div>
        </>
      ),
    },
    { title: 'Status', sortKey: 'status', cell: ({ status }) => <span class="tag">{status}</span> },
    { title: 'From project', cell: ({ project_id }) => <Text text={project_id} /> },
    {
      title: 'To project',
      cell: ({ target_project_id }) =>
        target_project_id ? (
          <Text text={target_project_id} />
        ) : (
          <span class="quiet">anyone with the key</span>
        ),
    },
    {
      title: 'Offered',
      sortKey: 'created_at',
      isSecondary: true,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (one) =>
        one.status === 'ACTIVE' && one.project_id === session.caller.project_id ? (
          <button type="button" class="plain" onClick={() => cancel(one)}>
            Withdraw
            <span class="unseen">
              {' '}
              the offer of <Text text={one.zone_name} />
            </span>
          </button>
        ) : null,
    },
  ];
}

/** Zone transfer requests: those that the project offers, and those offered to it. */
export function TransfersView({ session, place: { path, query } }: ViewProps) {
  const place = { path: PATH, query };
  const [leaving, setLeaving] = useState<ZoneTransferRequest>();
  const { marker, sort_key, sort_dir } = Object.fromEntries(query);
  const asked = {
    limit: PER_PAGE,
    marker,
    sort_key: SORT_KEYS.find((key) => key === sort_key),
    sort_dir: sort_dir === 'desc' ? ('desc' as const) : ('asc' as const),
  };
  const offers = useFetched(
    async (signal) => {
      const params = { query: asked };
      const { transfer_requests, links } = await dataOf(
        api.GET('/v2/zones/tasks/transfer_requests', { params, signal }),
      );
      return { rows: transfer_requests, next: markerIn(links) };
    },
    [query.toString()],
  );
  const cancel = async ({ id, zone_name }: ZoneTransferRequest) => {
    const params = { path: { zone_transfer_request_id: id } };
    await dataOf(api.DELETE('/v2/zones/tasks/transfer_requests/{zone_transfer_request_id}', { params }));
    announce(
      <>
        Withdrew the offer of <Text text={zone_name} />
      </>,
    );
    offers.again();
  };
  return (
    <>
      <header class="view-head">
        <h1 tabIndex={-1}>Transfers</h1>
        <div class="buttons">
          <a class="button" href={hrefOf('zones')}>
            Back to zones
          </a>
          {may(session, 'create_zone_transfer_accept') && (
            <a class="button primary" href={hrefOf(`${PATH}/${ACCEPT}`)}>
              Accept zone
            </a>
          )}
        </div>
      </header>
      <p class="lead">To offer a zone, open its page. To accept one, you need the ID and key of the offer.</p>
      <Table
        caption="Offers"
        columns={columnsFor(session, setLeaving)}
        asked={offers}
        place={place}
        keyOf={({ id }) => id}
        things="offers"
      />
      {path === `${PATH}/${ACCEPT}` && <AcceptDialog onClose={() => goTo(hrefOf(PATH))} />}
      {leaving !== undefined && (
        <Confirm
          title="Withdraw offer"
          verb="Withdraw offer"
          onConfirm={() => cancel(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            The key for <bdi class="name">{visible(leaving.zone_name)}</bdi> will stop working.
          </p>
        </Confirm>
      )}
    </>
  );
}
