import { useState } from 'preact/hooks';
import { type ApiResponse, api, dataOf } from '../../api/client.ts';
import { type Fetched, useFetched, useFirst, useWatch } from '../../api/fetched.ts';
import { may, type Session } from '../../api/session.ts';
import type { Recordset, Zone } from '../../api/types.ts';
import { ChoiceField } from '../../parts/field.tsx';
import { announce, ProblemNotice } from '../../parts/notice.tsx';
import { partOf, SearchField } from '../../parts/search.tsx';
import { Status } from '../../parts/status.tsx';
import { type Column, listPlaceOf, markerIn, type Page, Table } from '../../parts/table.tsx';
import { DnsName, grouped, Text } from '../../parts/text.tsx';
import { goTo, hrefOf, type Place } from '../../place.ts';
import { onBehalf } from './on-behalf.ts';
import { readRecordset } from './one-recordset.ts';
import { Records, RecordsetDeletion } from './recordset-deletion.tsx';
import { RecordsetDialog, TYPES } from './recordset-dialog.tsx';

const NEW = 'new';
const PER_PAGE = 50;
const SORT_KEYS = ['name', 'type', 'ttl', 'created_at'] as const;
const SHOWN_TYPES = [['', 'any'], ...TYPES.map((type) => [type, type] as const), ['SOA', 'SOA']] as const;

interface Part {
  readonly session: Session;
  readonly zone: Zone;
  /** The zone's place, with the filters of its recordsets. */
  readonly place: Place;
}

function useRecordsets({ session, zone, place }: Part): Fetched<Page<Recordset>> {
  const { name, type, data, marker, sort_key, sort_dir } = Object.fromEntries(place.query);
  const query = {
    limit: PER_PAGE,
    marker,
    name: partOf(name),
    type: type || undefined,
    data: partOf(data),
    sort_key: SORT_KEYS.find((key) => key === sort_key),
    sort_dir: sort_dir === 'desc' ? ('desc' as const) : ('asc' as const),
  };
  const asked = useFetched(
    async (signal) => {
      const params = { path: { zone_id: zone.id }, query };
      const { recordsets, links, metadata } = await dataOf(
        api.GET('/v2/zones/{zone_id}/recordsets', { params, headers: onBehalf(session), signal }),
      );
      return { rows: recordsets, next: markerIn(links), total: metadata.total_count ?? undefined };
    },
    [zone.id, zone.status, zone.serial, place.query.toString()],
  );
  useWatch(asked, asked.data?.rows.some(({ status }) => status === 'PENDING') ?? false);
  return asked;
}

/** Recordsets that the service manages, and whose changes it rejects. */
const isManaged = ({ type, name }: Recordset, zone: Zone): boolean =>
  type === 'SOA' || (type === 'NS' && name === zone.name);

function columnsFor({ session, zone, place }: Part, remove: (one: Recordset) => void): Column<Recordset>[] {
  const query = Object.fromEntries(place.query);
  const isChangeable = (one: Recordset): boolean => may(session, 'update_recordset') && !isManaged(one, zone);
  return [
    {
      title: 'Name',
      sortKey: 'name',
      cell: (one) => (
        <>
          <DnsName
            name={one.name}
            href={isChangeable(one) ? hrefOf(`${place.path}/${one.id}`, query) : undefined}
          />
          {one.hidden_by !== undefined && (
            <div class="quiet">
              hidden by zone <DnsName name={one.hidden_by} />
            </div>
          )}
        </>
      ),
    },
    { title: 'Type', sortKey: 'type', cell: ({ type }) => type },
    {
      title: 'Records',
      kind: 'wide',
      cell: ({ records, description }) => (
        <>
          <Records records={records} />
          <div class="quiet">
            <Text text={description} />
          </div>
        </>
      ),
    },
    {
      title: 'TTL',
      sortKey: 'ttl',
      kind: 'number',
      isSecondary: true,
      cell: ({ ttl }) => (ttl === null ? <span class="quiet">{zone.ttl}</span> : ttl),
    },
    {
      title: 'Status',
      isSecondary: true,
      cell: ({ status, action }) => <Status status={status} action={action} />,
    },
    ...(may(session, 'delete_recordset')
      ? [
          {
            title: 'Actions',
            kind: 'actions' as const,
            cell: (one: Recordset) =>
              isManaged(one, zone) ? null : (
                <button type="button" class="plain" onClick={() => remove(one)}>
                  Delete
                  <span class="unseen">
                    {' '}
                    <Text text={one.name} /> {one.type}
                  </span>
                </button>
              ),
          },
        ]
      : []),
  ];
}

function Filters({ place }: { readonly place: Place }) {
  const { query, filter } = listPlaceOf(place);
  return (
    <search class="filters">
      <SearchField isFirst label="Name" value={query.name ?? ''} onValue={(name) => filter({ name })} />
      <ChoiceField
        label="Type"
        choices={SHOWN_TYPES}
        value={SHOWN_TYPES.find(([one]) => one === query.type)?.[0] ?? ''}
        onValue={(type) => filter({ type })}
      />
      <SearchField label="Record" value={query.data ?? ''} onValue={(data) => filter({ data })} />
    </search>
  );
}

/** The dialog for the recordset that the path names. */
function Opened({
  session,
  zone,
  id,
  onStored,
  onClose,
}: Omit<Part, 'place'> & { readonly id: string; onStored(one: Recordset): void; onClose(): void }) {
  const isNew = id === NEW;
  const found = useFetched<ApiResponse<Recordset>>(
    isNew ? undefined : (signal) => readRecordset(session, { zone_id: zone.id, id }, signal),
    [id],
  );
  const read = useFirst(found.data);
  if (read === undefined && !isNew) return <ProblemNotice problem={found.problem} />;
  return <RecordsetDialog session={session} zone={zone} read={read} onStored={onStored} onClose={onClose} />;
}

/** The recordsets of a zone. */
export function Recordsets({
  session,
  zone,
  place,
  opened,
  onChanged,
}: Part & { readonly opened: string | undefined; onChanged(): void }) {
  const part = { session, zone, place };
  const recordsets = useRecordsets(part);
  const [leaving, setLeaving] = useState<Recordset>();
  const query = Object.fromEntries(place.query);
  const close = () => goTo(hrefOf(place.path, query));
  const changed = () => {
    recordsets.again();
    onChanged();
  };
  const total = recordsets.data?.total;
  return (
    <section class="part" aria-labelledby="recordsets">
      <header class="view-head">
        <h2 id="recordsets">
          Recordsets {total !== undefined && <span class="quiet">{grouped(total)}</span>}
        </h2>
        {may(session, 'create_recordset') && (
          <a class="button primary" href={hrefOf(`${place.path}/${NEW}`, query)}>
            Create recordset
          </a>
        )}
      </header>
      <Filters place={place} />
      <Table
        caption="Recordsets"
        columns={columnsFor(part, setLeaving)}
        asked={recordsets}
        place={place}
        keyOf={({ id }) => id}
        things="recordsets"
      />
      {opened !== undefined && (
        <Opened
          key={opened}
          session={session}
          zone={zone}
          id={opened}
          onStored={({ name, type }) => {
            announce(
              <>
                {opened === NEW ? 'Created' : 'Saved'} <Text text={name} /> {type}
              </>,
            );
            close();
            changed();
          }}
          onClose={close}
        />
      )}
      {leaving !== undefined && (
        <RecordsetDeletion
          session={session}
          seen={leaving}
          onDeleted={changed}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </section>
  );
}
