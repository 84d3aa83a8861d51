import { useState } from 'preact/hooks';
import { type ApiResponse, api, dataOf, responseTo } from '../../api/client.ts';
import { type Fetched, useFetched, useFirst } from '../../api/fetched.ts';
import { may, type Session } from '../../api/session.ts';
import type { Blacklist } from '../../api/types.ts';
import { ConfirmDeletion } from '../../parts/confirm-deletion.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { partOf, SearchField } from '../../parts/search.tsx';
import { type Column, listPlaceOf, markerIn, type Page, Table } from '../../parts/table.tsx';
import { grouped, Text, Time, visible } from '../../parts/text.tsx';
import { goTo, hrefOf, type Place, type Query } from '../../place.ts';
import type { ViewProps } from '../../view-props.ts';
import { type Change, EntryDialog, removed } from './entry-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { LastChange } from './last-change.tsx';
import { ListsDialog } from './lists-dialog.tsx';

const PATH = 'blacklists';
const NEW = 'new';
const IMPORT = 'import';
const LISTS = 'lists';
/** The fields that users edit. */
const CONTENTS = ['pattern', 'description', 'mode', 'expires_at', 'exceptions', 'lists'] as const;
const PER_PAGE = 50;
const SORT_KEYS = ['created_at', 'updated_at', 'id', 'pattern'] as const;

function useEntries({ query }: Place): Fetched<Page<Blacklist>> {
  const given = Object.fromEntries(query);
  const asked = {
    limit: PER_PAGE,
    marker: given.marker,
    sort_key: SORT_KEYS.find((key) => key === given.sort_key),
    sort_dir: given.sort_dir === 'desc' ? ('desc' as const) : ('asc' as const),
    pattern: partOf(given.pattern),
    description: partOf(given.description),
    list: given.list,
  };
  return useFetched(
    async (signal) => {
      const { blacklists, links } = await dataOf(
        api.GET('/v2/blacklists', { params: { query: asked }, signal }),
      );
      return { rows: blacklists, next: markerIn(links) };
    },
    [query.toString()],
  );
}

function hitsOf({ hits }: Blacklist): number {
  return hits === undefined ? 0 : hits.refused + hits.warned + hits.audited;
}

function columnsFor(session: Session, place: Place, remove: (entry: Blacklist) => void): Column<Blacklist>[] {
  const query = Object.fromEntries(place.query);
  return [
    {
      title: 'Pattern',
      sortKey: 'pattern',
      kind: 'wide',
      cell: ({ id, pattern, description }) => (
        <>
          <a href={hrefOf(`${PATH}/${id}`, query)}>
            <code class="pattern">
              <bdi>{visible(pattern)}</bdi>
            </code>
          </a>
          <div class="quiet">
            <Text text={description} />
          </div>
        </>
      ),
    },
    {
      title: 'Mode',
      cell: ({ mode = 'enforce', exhausted }) => (
        <>
          <span class={`tag ${mode}`}>{mode}</span>
          {exhausted !== undefined && <span class="tag warn">too slow</span>}
        </>
      ),
    },
    { title: 'Hits', kind: 'number', cell: (entry) => grouped(hitsOf(entry)) },
    {
      title: 'Last hit',
      isSecondary: true,
      cell: ({ hits }) => <Time at={hits?.last_at} />,
    },
    { title: 'Expires', isSecondary: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
    { title: 'Lists', isSecondary: true, cell: ({ lists = [] }) => <Text text={lists.join(', ')} /> },
    {
      title: 'Added',
      sortKey: 'created_at',
      isSecondary: true,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
    ...(may(session, 'delete_blacklist')
      ? [
          {
            title: 'Actions',
            kind: 'actions' as const,
            cell: (entry: Blacklist) => (
              <button type="button" class="plain" onClick={() => remove(entry)}>
                Delete
                <span class="unseen">
                  {' '}
                  <Text text={entry.pattern} />
                </span>
              </button>
            ),
          },
        ]
      : []),
  ];
}

function readEntry(id: string, signal?: AbortSignal): Promise<ApiResponse<Blacklist>> {
  const params = { path: { blacklist_id: id } };
  const given = signal === undefined ? {} : { signal };
  return responseTo(api.GET('/v2/blacklists/{blacklist_id}', { params, ...given }));
}

/** The dialog for the entry that the path names. */
function Opened({ id, onStored, onClose }: { id: string; onStored(change: Change): void; onClose(): void }) {
  const isNew = id === NEW;
  const found = useFetched<ApiResponse<Blacklist>>(isNew ? undefined : (signal) => readEntry(id, signal), [
    id,
  ]);
  const read = useFirst(found.data);
  if (read === undefined && !isNew) return <ProblemNotice problem={found.problem} />;
  return (
    <EntryDialog
      key={id}
      read={read}
      readAgain={(entry) => readEntry(entry.id)}
      onStored={onStored}
      onClose={onClose}
    />
  );
}

function Head({ session, query }: { readonly session: Session; readonly query: Query }) {
  return (
    <header class="view-head">
      <h1 tabIndex={-1}>Blacklists</h1>
      <div class="buttons">
        {may(session, 'find_blacklist_lists') && (
          <a class="button" href={hrefOf(`${PATH}/${LISTS}`, query)}>
            Lists
          </a>
        )}
        {may(session, 'import_blacklists') && (
          <a class="button" href={hrefOf(`${PATH}/${IMPORT}`, query)}>
            Import entries
          </a>
        )}
        {may(session, 'create_blacklist') && (
          <a class="button primary" href={hrefOf(`${PATH}/${NEW}`, query)}>
            Add entry
          </a>
        )}
      </div>
    </header>
  );
}

/** The blacklist: names that cannot be created. */
export function BlacklistsView({ session, place }: ViewProps) {
  const list = listPlaceOf({ ...place, path: PATH });
  const entries = useEntries(place);
  const [leaving, setLeaving] = useState<Blacklist>();
  const [change, setChange] = useState<Change>();
  const opened = place.path.split('/')[1];
  const close = () => goTo(hrefOf(PATH, list.query));
  const onStored = (made: Change) => {
    setChange(made);
    close();
    entries.again();
  };
  const onRemoved = (made: Change) => {
    setChange(made);
    entries.again();
  };
  return (
    <>
      <Head session={session} query={list.query} />
      {change !== undefined && (
        <LastChange
          key={`${change.done} ${change.pattern}`}
          change={change}
          onUndone={() => {
            setChange(undefined);
            entries.again();
          }}
        />
      )}
      <search class="filters">
        <SearchField
          isFirst
          label="Pattern"
          value={list.query.pattern ?? ''}
          onValue={(pattern) => list.filter({ pattern })}
        />
        <SearchField
          label="Description"
          value={list.query.description ?? ''}
          onValue={(description) => list.filter({ description })}
        />
        <SearchField
          label="List"
          placeholder="Full name"
          value={list.query.list ?? ''}
          onValue={(name) => list.filter({ list: name })}
        />
      </search>
      <Table
        caption="Blacklist entries"
        columns={columnsFor(session, { ...place, path: PATH }, setLeaving)}
        asked={entries}
        place={{ ...place, path: PATH }}
        keyOf={({ id }) => id}
        things="entries"
      />
      {opened === IMPORT && <ImportDialog onImported={entries.again} onClose={close} />}
      {opened === LISTS && <ListsDialog session={session} onChanged={entries.again} onClose={close} />}
      {opened !== undefined && opened !== IMPORT && opened !== LISTS && (
        <Opened id={opened} onStored={onStored} onClose={close} />
      )}
      {leaving !== undefined && (
        <ConfirmDeletion
          title="Delete entry"
          seen={leaving}
          fields={CONTENTS}
          read={(signal) => readEntry(leaving.id, signal)}
          remove={removed}
          onDeleted={onRemoved}
          onClose={() => setLeaving(undefined)}
        >
          {({ pattern, description }) => (
            <>
              <p>Names matching this pattern can be created again:</p>
              <p>
                <code class="pattern">
                  <bdi>{visible(pattern)}</bdi>
                </code>
              </p>
              <p class="quiet">
                <Text text={description} />
              </p>
            </>
          )}
        </ConfirmDeletion>
      )}
    </>
  );
}
