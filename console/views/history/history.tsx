import { useState } from 'preact/hooks';
import { api, dataOf } from '../../api/client.ts';
import { type Fetched, NEWS_INTERVAL, useFetched, useWatch } from '../../api/fetched.ts';
import type { Event } from '../../api/types.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Difference } from '../../parts/difference.tsx';
import { TextField } from '../../parts/field.tsx';
import { SearchField } from '../../parts/search.tsx';
import { type Column, listPlaceOf, markerIn, type Page, Table } from '../../parts/table.tsx';
import { grouped, Text, Time } from '../../parts/text.tsx';
import type { Place } from '../../place.ts';
import type { ViewProps } from '../../view-props.ts';
import { Target, tagOf } from './target.tsx';

const PER_PAGE = 50;
const FILTERS = [
  ['type', 'Type', 'e.g. zone.created'],
  ['target_name', 'Target name', 'Full name (* allowed)'],
  ['project_id', 'Project', 'Project ID'],
  ['user_id', 'User', 'User ID'],
  ['request_id', 'Request ID', 'req-…'],
] as const;

/** Converts the local time of an input to the API's format. */
function utcOf(local: string | undefined): string | undefined {
  if (local === undefined || local === '') return undefined;
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function useEvents({ query }: Place): Fetched<Page<Event>> {
  const parameters = Object.fromEntries(query);
  const { type, target_name, project_id, user_id, request_id, target_id, marker } = parameters;
  const request = {
    limit: PER_PAGE,
    marker,
    type,
    target_name,
    target_id,
    project_id,
    user_id,
    request_id,
    since: utcOf(parameters.since),
    until: utcOf(parameters.until),
  };
  return useFetched(
    async (signal) => {
      const { events, links } = await dataOf(api.GET('/v2/events', { params: { query: request }, signal }));
      return { rows: events, next: markerIn(links) };
    },
    [query.toString()],
  );
}

function actorOf({ actor }: Event): string {
  return actor.user_id ?? actor.kind;
}

function columnsFor(open: (event: Event) => void): Column<Event>[] {
  return [
    { title: 'Time', cell: ({ time }) => <Time at={time} /> },
    {
      title: 'Event',
      cell: (event) => (
        <button type="button" class={tagOf(event)} onClick={() => open(event)}>
          {event.type}
          <span class="unseen">, event {grouped(event.position)}: show details</span>
        </button>
      ),
    },
    {
      title: 'Target',
      kind: 'wide',
      cell: (event) => (
        <>
          <Target event={event} /> <span class="quiet">{event.target.kind}</span>
        </>
      ),
    },
    { title: 'Project', isSecondary: true, cell: ({ target }) => <Text text={target.project_id} /> },
    {
      title: 'Actor',
      isSecondary: true,
      cell: (event) => (
        <>
          <Text text={event.actor.project_id} />{' '}
          <span class="quiet">
            <Text text={actorOf(event)} />
          </span>
        </>
      ),
    },
  ];
}

function Facts({ event }: { readonly event: Event }) {
  const { actor, target, time, error, position, hash } = event;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['Target', [target.kind, target.name, target.id].filter(Boolean).join(' ')],
    ['Project', target.project_id],
    ['Actor', [actor.kind, actor.project_id, actor.user_id].filter(Boolean).join(' ')],
    ['Address', actor.address],
    ['Request ID', actor.request_id],
    ['Error', error],
    ['Position', grouped(position)],
    ['Hash', hash],
  ];
  return (
    <dl class="forms">
      <dt>Time</dt>
      <dd>
        <Time at={time} />
      </dd>
      {facts.map(([name, text]) =>
        text ? (
          <>
            <dt key={name}>{name}</dt>
            <dd key={`${name} is`}>
              <Text text={text} />
            </dd>
          </>
        ) : null,
      )}
    </dl>
  );
}

function EventDialog({ event, onClose }: { readonly event: Event; onClose(): void }) {
  const { before = {}, after = {}, details = {}, restricted = {} } = event;
  return (
    <Dialog isWide title={event.type} onClose={onClose}>
      <div class="event">
        <Facts event={event} />
        <Difference before={before} after={after} />
        <Difference before={{}} after={{ ...details, ...restricted }} caption="Details" />
      </div>
    </Dialog>
  );
}

/** Events, newest first. */
export function HistoryView({ place }: ViewProps) {
  const { query, filter } = listPlaceOf(place);
  const events = useEvents(place);
  // Some filters scan many events, so filtered lists are not polled.
  useWatch(events, place.query.size === 0, NEWS_INTERVAL);
  const [opened, setOpened] = useState<Event>();
  return (
    <>
      <h1 tabIndex={-1}>History</h1>
      <search class="filters">
        {FILTERS.map(([key, label, placeholder], index) => (
          <SearchField
            key={key}
            isFirst={index === 0}
            label={label}
            placeholder={placeholder}
            value={query[key] ?? ''}
            onValue={(value) => filter({ [key]: value })}
          />
        ))}
        {(['since', 'until'] as const).map((key) => (
          <TextField
            key={key}
            label={key === 'since' ? 'Since (local time)' : 'Until (local time)'}
            type="datetime-local"
            value={query[key] ?? ''}
            onValue={(value) => filter({ [key]: value })}
          />
        ))}
      </search>
      <Table
        caption="Events"
        columns={columnsFor(setOpened)}
        asked={events}
        place={place}
        keyOf={({ id }) => id}
        things="events"
      />
      {opened !== undefined && <EventDialog event={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
