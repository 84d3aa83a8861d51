import { useState } from 'preact/hooks';
import { api, dataOf } from '../../api/client.ts';
import { type Fetched, useFetched } from '../../api/fetched.ts';
import { may, type Session } from '../../api/session.ts';
import type { ProjectUsage } from '../../api/types.ts';
import { Bar } from '../../parts/bar.tsx';
import { announce } from '../../parts/notice.tsx';
import { SearchField } from '../../parts/search.tsx';
import { type Column, listPlaceOf, markerIn, type Page, Table } from '../../parts/table.tsx';
import { grouped, sized, Text, Time } from '../../parts/text.tsx';
import { goTo, hrefOf, type Place } from '../../place.ts';
import type { ViewProps } from '../../view-props.ts';
import { projectsByFullness } from './by-fullness.ts';
import { DefaultLimits } from './default-limits.tsx';
import { fullnessOf } from './fullness.ts';
import { LimitsDialog } from './limits-dialog.tsx';

const PATH = 'quotas';
const PER_PAGE = 50;
const SORT_KEYS = ['percentage', 'project_id'] as const;

interface DatedPage extends Page<ProjectUsage> {
  readonly asOf: string | null | undefined;
}

interface UsageQuery {
  readonly marker: string | undefined;
  readonly sort_key: (typeof SORT_KEYS)[number] | undefined;
  readonly sort_dir: 'asc' | 'desc' | undefined;
  readonly project_id: string | undefined;
}

/** One page of projects by fullness; undefined if too many projects match. */
async function pageByFullness(
  { marker, sort_dir, project_id }: UsageQuery,
  signal: AbortSignal,
): Promise<DatedPage | undefined> {
  const all = await projectsByFullness({ project_id }, Number.POSITIVE_INFINITY, signal);
  if (!all.isWhole) return undefined;
  const rows = sort_dir === 'asc' ? [...all.rows].reverse() : all.rows;
  const start = rows.findIndex((row) => row.project_id === marker) + 1;
  const page = rows.slice(start, start + PER_PAGE);
  const next = start + PER_PAGE < rows.length ? page.at(-1)?.project_id : undefined;
  return { rows: page, next, asOf: all.asOf };
}

async function pageOfApi(query: UsageQuery, signal: AbortSignal): Promise<DatedPage> {
  const { usage, links, as_of } = await dataOf(
    api.GET('/v2/usage', { params: { query: { limit: PER_PAGE, ...query } }, signal }),
  );
  return { rows: usage, next: markerIn(links), asOf: as_of };
}

/** Sorts by fullness if few projects match, otherwise by the API's percentages. */
function useUsage({ query }: Place): Fetched<DatedPage> {
  const { marker, sort_key, sort_dir, project_id } = Object.fromEntries(query);
  const asked: UsageQuery = {
    marker,
    sort_key: SORT_KEYS.find((key) => key === sort_key),
    sort_dir: sort_dir === 'asc' || sort_dir === 'desc' ? sort_dir : undefined,
    project_id: project_id || undefined,
  };
  return useFetched(
    async (signal) => {
      const sorted = asked.sort_key === 'project_id' ? undefined : await pageByFullness(asked, signal);
      return sorted ?? pageOfApi(asked, signal);
    },
    [query.toString()],
  );
}

const limitOf = (limit: number, write: (number: number) => string): string =>
  limit < 0 ? '(unlimited)' : `of ${write(limit)}`;

function Used({
  used,
  limit,
  write = grouped,
}: {
  used: number;
  limit: number;
  write?: (number: number) => string;
}) {
  return (
    <>
      {write(used)} <span class="quiet">{limitOf(limit, write)}</span>
    </>
  );
}

function columnsFor(session: Session, query: Readonly<Record<string, string>>): Column<ProjectUsage>[] {
  return [
    {
      title: 'Project',
      sortKey: 'project_id',
      cell: ({ project_id }) =>
        may(session, 'set_quota') ? (
          <a href={hrefOf(`${PATH}/${encodeURIComponent(project_id)}`, query)}>
            <Text text={project_id} />
          </a>
        ) : (
          <Text text={project_id} />
        ),
    },
    {
      title: 'Closest to a limit',
      sortKey: 'percentage',
      kind: 'wide',
      cell: (row) => <Bar label={`Usage of ${row.project_id}`} percentage={fullnessOf(row)} />,
    },
    {
      title: 'Zones',
      kind: 'number',
      cell: ({ usage, limits }) => <Used used={usage.zones} limit={limits.zones} />,
    },
    {
      title: 'Recordsets per zone',
      kind: 'number',
      isSecondary: true,
      cell: ({ usage, limits }) => <Used used={usage.zone_recordsets} limit={limits.zone_recordsets} />,
    },
    {
      title: 'Records per zone',
      kind: 'number',
      isSecondary: true,
      cell: ({ usage, limits }) => <Used used={usage.zone_records} limit={limits.zone_records} />,
    },
    {
      title: 'Zone size',
      kind: 'number',
      isSecondary: true,
      cell: ({ usage, limits }) => (
        <Used used={usage.zone_bytes} limit={limits.max_zone_size} write={sized} />
      ),
    },
  ];
}

function ProjectField() {
  const [id, setId] = useState('');
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (id.trim() !== '') goTo(hrefOf(`${PATH}/${encodeURIComponent(id.trim())}`));
      }}
    >
      <label>
        Edit limits of project
        <input value={id} autocomplete="off" onInput={({ currentTarget }) => setId(currentTarget.value)} />
      </label>
      <button type="submit">Edit</button>
    </form>
  );
}

/** Usage of all projects against their limits, fullest first. */
export function QuotasView({ session, place: { path, query } }: ViewProps) {
  const place = { path: PATH, query };
  const { query: asked, filter } = listPlaceOf(place);
  const usage = useUsage(place);
  const opened = path.split('/')[1];
  const close = () => goTo(hrefOf(PATH, asked));
  return (
    <>
      <h1 tabIndex={-1}>Quotas</h1>
      <div class="filters">
        <SearchField
          isFirst
          label="Project"
          placeholder="Project ID (* allowed)"
          value={asked.project_id ?? ''}
          onValue={(project_id) => filter({ project_id })}
        />
        {may(session, 'set_quota') && <ProjectField />}
      </div>
      <Table
        caption="Usage by project"
        columns={columnsFor(session, Object.fromEntries(query))}
        asked={usage}
        place={place}
        keyOf={({ project_id }) => project_id}
        things="projects"
      />
      {usage.data?.asOf && (
        <p class="quiet">
          As of <Time at={usage.data.asOf} />.
        </p>
      )}
      <DefaultLimits />
      {opened !== undefined && (
        <LimitsDialog
          key={opened}
          projectId={decodeURIComponent(opened)}
          onClose={close}
          onChanged={(projectId) => {
            announce(
              <>
                Saved the limits of <Text text={projectId} />
              </>,
            );
            close();
            usage.again();
          }}
        />
      )}
    </>
  );
}
