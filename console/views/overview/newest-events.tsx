import { api, dataOf } from '../../api/client.ts';
import { NEWS_INTERVAL, useFetched, useWatch } from '../../api/fetched.ts';
import type { Event } from '../../api/types.ts';
import { ProblemNotice } from '../../parts/notice.tsx';
import { Time, visible } from '../../parts/text.tsx';
import { Target, tagOf } from '../history/target.tsx';

const SHOWN = 8;

function Line({ event }: { readonly event: Event }) {
  const { type, time, actor } = event;
  const who = actor.project_id ?? actor.kind;
  return (
    <li>
      <p>
        <span class={tagOf(event)}>{type}</span> <Target event={event} />
      </p>
      <p class="quiet">
        <Time at={time} /> · <bdi>{visible(who)}</bdi>
      </p>
    </li>
  );
}

/** The latest events. */
export function NewestEvents() {
  const events = useFetched(
    (signal) => dataOf(api.GET('/v2/events', { params: { query: { limit: SHOWN } }, signal })),
    [],
  );
  useWatch(events, true, NEWS_INTERVAL);
  return (
    <section class="card">
      <h2>Latest events</h2>
      <ProblemNotice problem={events.problem} />
      {events.data?.events.length === 0 && <p class="quiet">No events yet.</p>}
      <ul class="events">
        {events.data?.events.map((event) => (
          <Line key={event.id} event={event} />
        ))}
      </ul>
    </section>
  );
}
