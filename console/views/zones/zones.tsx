import { useState } from 'preact/hooks';
import { api, dataOf, OF_ALL_PROJECTS } from '../../api/client.ts';
import { type Fetched, useFetched } from '../../api/fetched.ts';
import { may } from '../../api/session.ts';
import type { Zone } from '../../api/types.ts';
import { CheckField, ChoiceField } from '../../parts/field.tsx';
import { announce } from '../../parts/notice.tsx';
import { partOf, SearchField } from '../../parts/search.tsx';
import { Status } from '../../parts/status.tsx';
import { type Column, listPlaceOf, markerIn, type Page, Table } from '../../parts/table.tsx';
import { DnsName, grouped, Text, Time } from '../../parts/text.tsx';
import { goTo, hrefOf } from '../../place.ts';
import type { ViewProps } from '../../view-props.ts';
import { TransfersView } from './transfers.tsx';
import { ZoneDeletion } from './zone-deletion.tsx';
import { ZoneDialog } from './zone-dialog.tsx';
import { ZoneImportDialog } from './zone-import-dialog.tsx';
import { ZonePage } from './zone-page.tsx';

const PATH = 'zones';
const NEW = 'new';
const IMPORT = 'import';
const TRANSFERS = 'transfers';
const PER_PAGE = 50;
const SORT_KEYS = ['created_at', 'updated_at', 'name', 'serial', 'ttl', 'status'] as const;
const HIDES_COUNTS = { 'openstack-dns-hide-counts': 'true' };

const STATUSES = [
  ['', 'any'],
  ['ACTIVE', 'ACTIVE'],
  ['PENDING', 'PENDING'],
  ['ERROR', 'ERROR'],
] as const;

/** True if the list shows the zones of all projects: the default for callers who may see them. */
function isOfAll({ session, place: { query } }: ViewProps): boolean {
  return may(session, 'all_tenants') && query.get('all') !== '0';
}

/** The list request for a URL. */
function askedBy(view: ViewProps) {
  const { name, status, marker, sort_key, sort_dir } = Object.fromEntries(view.place.query);
  return {
    headers: isOfAll(view) ? OF_ALL_PROJECTS : {},
    filters: {
      name: partOf(name),
      status: STATUSES.find(([one]) => one !== '' && one === status)?.[0],
    },
    paging: {
      limit: PER_PAGE,
      marker,
      sort_key: SORT_KEYS.find((key) => key === sort_key),
      sort_dir: sort_dir === 'desc' ? ('desc' as const) : ('asc' as const),
    },
  };
}

function useZones(view: ViewProps): Fetched<Page<Zone>> {
  const { headers, filters, paging } = askedBy(view);
  return useFetched(
    async (signal) => {
      // Counting a million zones takes longer than reading the first rows, so that is a separate request.
      const params = { query: { ...filters, ...paging } };
      const { zones, links } = await dataOf(
        api.GET('/v2/zones', { params, headers: { ...headers, ...HIDES_COUNTS }, signal }),
      );
      return { rows: zones, next: markerIn(links) };
    },
    [view.place.query.toString()],
  );
}

function useTotal(view: ViewProps): Fetched<number | null | undefined> {
  const { headers, filters } = askedBy(view);
  return useFetched(
    async (signal) => {
      const params = { query: { ...filters, limit: 1 } };
      return (await dataOf(api.GET('/v2/zones', { params, headers, signal }))).metadata.total_count;
    },
    [JSON.stringify(filters), isOfAll(view)],
  );
}

function columnsFor(view: ViewProps, remove: (zone: Zone) => void): Column<Zone>[] {
  return [
    {
      title: 'Name',
      sortKey: 'name',
      kind: 'wide',
      cell: ({ id, name, description }) => (
        <>
          <DnsName name={name} href={hrefOf(`${PATH}/${id}`)} />
          <div class="quiet">
            <Text text={description} />
          </div>
        </>
      ),
    },
    {
      title: 'Status',
      sortKey: 'status',
      cell: ({ status, action }) => <Status status={status} action={action} />,
    },
    ...(isOfAll(view)
      ? [{ title: 'Project', cell: ({ project_id }: Zone) => <Text text={project_id} /> }]
      : []),
    { title: 'Serial', sortKey: 'serial', kind: 'number', isSecondary: true, cell: ({ serial }) => serial },
    {
      title: 'Created',
      sortKey: 'created_at',
      isSecondary: true,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
    {
      title: 'Updated',
      sortKey: 'updated_at',
      isSecondary: true,
      cell: ({ updated_at }) => <Time at={updated_at} />,
    },
    ...(may(view.session, 'delete_zone')
      ? [
          {
            title: 'Actions',
            kind: 'actions' as const,
            cell: (zone: Zone) => (
              <button type="button" class="plain" onClick={() => remove(zone)}>
                Delete
                <span class="unseen">
                  {' '}
                  <Text text={zone.name} />
                </span>
              </button>
            ),
          },
        ]
      : []),
  ];
}

function Filters({ session, place }: ViewProps) {
  const { query, filter } = listPlaceOf(place);
  return (
    <search class="filters">
      <SearchField isFirst label="Name" value={query.name ?? ''} onValue={(name) => filter({ name })} />
      <ChoiceField
        label="Status"
        choices={STATUSES}
        value={STATUSES.find(([one]) => one === query.status)?.[0] ?? ''}
        onValue={(status) => filter({ status })}
      />
      {may(session, 'all_tenants') && (
        <CheckField
          label="All projects"
          isOn={isOfAll({ session, place })}
          onChange={(isOn) => filter({ all: isOn ? undefined : '0' })}
        />
      )}
    </search>
  );
}

function ZoneList({ session, place: { path, query } }: ViewProps) {
  const place = { path: PATH, query };
  const view = { session, place };
  const zones = useZones(view);
  const total = useTotal(view);
  const [leaving, setLeaving] = useState<Zone>();
  const close = () => goTo(hrefOf(PATH, Object.fromEntries(query)));
  return (
    <>
      <header class="view-head">
        <h1 tabIndex={-1}>
          Zones {typeof total.data === 'number' && <span class="quiet">{grouped(total.data)}</span>}
        </h1>
        <div class="buttons">
          {may(session, 'find_zone_transfer_requests') && (
            <a class="button" href={hrefOf(`${PATH}/${TRANSFERS}`)}>
              Transfers
            </a>
          )}
          {may(session, 'create_zone_import') && (
            <a class="button" href={hrefOf(`${PATH}/${IMPORT}`, Object.fromEntries(query))}>
              Import zone file
            </a>
          )}
          {may(session, 'create_zone') && (
            <a class="button primary" href={hrefOf(`${PATH}/${NEW}`, Object.fromEntries(query))}>
              Create zone
            </a>
          )}
        </div>
      </header>
      <Filters session={session} place={place} />
      <Table
        caption="Zones"
        columns={columnsFor(view, setLeaving)}
        asked={zones}
        place={place}
        keyOf={({ id }) => id}
        things="zones"
      />
      {path === `${PATH}/${NEW}` && (
        <ZoneDialog
          onClose={close}
          onCreated={({ id, name }) => {
            announce(
              <>
                Created <Text text={name} />
              </>,
            );
            goTo(hrefOf(`${PATH}/${id}`));
          }}
        />
      )}
      {path === `${PATH}/${IMPORT}` && <ZoneImportDialog onClose={close} />}
      {leaving !== undefined && (
        <ZoneDeletion
          session={session}
          seen={leaving}
          onDeleted={() => {
            zones.again();
            total.again();
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}

/** The zone list, one zone, or zone transfers. */
export function ZonesView({ session, place }: ViewProps) {
  const [, what, ...below] = place.path.split('/');
  if (what === undefined || what === NEW || what === IMPORT)
    return <ZoneList session={session} place={place} />;
  if (what === TRANSFERS) return <TransfersView session={session} place={place} />;
  return <ZonePage key={what} session={session} place={place} id={what} below={below} />;
}
