import { useState } from 'preact/hooks';
import { actingFor, api, dataOf } from '../../api/client.ts';
import { useFetched, useSettled } from '../../api/fetched.ts';
import { may } from '../../api/session.ts';
import type { NameChecks, ZoneCheck } from '../../api/types.ts';
import { TextField } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { counted, DnsName, grouped, Text, unicodeOf, visible } from '../../parts/text.tsx';
import { absolute } from '../../parts/typed.ts';
import { Waiting } from '../../parts/waiting.tsx';
import { sentencesIn } from '../../parts/warnings.ts';
import { goTo, hrefOf } from '../../place.ts';
import type { ViewProps } from '../../view-props.ts';

/** Debounce before a name is checked, in milliseconds. */
const PAUSE = 250;

type Result = NameChecks['results'][number];
type Match = NonNullable<Result['matches']>[number];

const MODES: Readonly<Record<Match['mode'], string>> = {
  enforce: 'blocks',
  warn: 'warns',
  audit: 'records',
};

function Verdict({ check }: { readonly check: ZoneCheck }) {
  const { refusal, warning, room, name } = check;
  const tone = refusal !== null ? 'bad' : warning !== null ? 'warn' : 'good';
  const left = room.zones === null ? 'unlimited' : grouped(room.zones);
  return (
    <div class={`verdict ${tone}`}>
      <p class="verdict-word">
        <DnsName name={name} />
        <strong>{refusal === null ? 'can be created' : 'cannot be created'}</strong>
      </p>
      {refusal !== null && (
        <p>
          <Text text={refusal.message} />{' '}
          <span class="quiet">
            ({refusal.type}, status {refusal.code})
          </span>
        </p>
      )}
      {refusal?.hint !== undefined && (
        <p>
          <Text text={refusal.hint} />
        </p>
      )}
      {warning !== null && (
        <p>
          <Text text={sentencesIn(warning)} />
        </p>
      )}
      <p class="quiet">
        Zones left for <bdi>{visible(check.project_id)}</bdi>: {left}
      </p>
    </div>
  );
}

/** A text with a highlighted part; `start` and `end` count characters, not code units. */
function Marked({
  text,
  start,
  end,
}: {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}) {
  const characters = [...text];
  const part = (from: number, to?: number) => visible(characters.slice(from, to).join(''));
  return (
    <bdi class="name">
      {part(0, start)}
      <mark>{part(start, end)}</mark>
      {part(end)}
    </bdi>
  );
}

function whyNot({ exception, expired }: Match): string | undefined {
  if (expired) return 'the entry has expired';
  return exception === null ? undefined : 'an exception allows this name';
}

function MatchItem({ match, result }: { readonly match: Match; readonly result: Result }) {
  const { start = 0, end = 0, form } = match.match ?? {};
  const text = form === 'unicode' ? result.unicode : result.canonical;
  const passed = whyNot(match);
  return (
    <li class={`match ${match.mode} ${passed === undefined ? '' : 'passed'}`}>
      <p>
        <span class={`tag ${match.mode}`}>{MODES[match.mode]}</span>
        <code class="pattern">
          <bdi>{visible(match.pattern)}</bdi>
        </code>
      </p>
      {text !== undefined && match.match !== null && (
        <p>
          <span class="quiet">{form === 'unicode' ? 'Unicode' : 'Canonical'}</span>{' '}
          <Marked text={text} start={start} end={end} />
        </p>
      )}
      {passed !== undefined && <p class="quiet">Not applied: {passed}.</p>}
    </li>
  );
}

function Matches({ result }: { readonly result: Result }) {
  const { matches = [], more = false, undecided = [], errors = [] } = result;
  if (errors.length > 0) return null;
  return (
    <section class="card">
      <h2>Matching entries</h2>
      <dl class="forms">
        <dt>Canonical</dt>
        <dd>
          <bdi class="name">{visible(result.canonical ?? result.name)}</bdi>
        </dd>
        <dt>Unicode</dt>
        <dd>
          <bdi class="name">{visible(result.unicode ?? unicodeOf(result.canonical ?? result.name))}</bdi>
        </dd>
      </dl>
      {matches.length === 0 ? (
        <p class="quiet">No blacklist entry matches either form.</p>
      ) : (
        <ul class="matches">
          {matches.map((match) => (
            <MatchItem key={match.id} match={match} result={result} />
          ))}
        </ul>
      )}
      {more && <p class="quiet">There may be more matches.</p>}
      {undecided.length > 0 && (
        <p>
          {counted(undecided.length, 'entry', 'entries')} took too long to check, so this name is rejected.
        </p>
      )}
    </section>
  );
}

/** The results for a name, as far as the caller may see them. */
function Answers({ session, name, project }: Pick<ViewProps, 'session'> & { name: string; project: string }) {
  const isAskingZones = name !== '' && may(session, 'create_zone');
  const isAskingEntries = name !== '' && may(session, 'check_blacklists');
  const headers = actingFor(project);
  const zone = useFetched(
    isAskingZones
      ? (signal) => dataOf(api.POST('/v2/zones/check', { body: { name }, headers, signal }))
      : undefined,
    [name, project],
  );
  const entries = useFetched(
    isAskingEntries
      ? (signal) => {
          const body = { names: [name], ...(project === '' ? {} : { project_id: project }) };
          return dataOf(api.POST('/v2/blacklists/check', { body, signal }));
        }
      : undefined,
    [name, project],
  );
  const result = entries.data?.results[0];
  const problem = zone.problem ?? entries.problem;
  return (
    <div class="answers" aria-live="polite">
      <Waiting isSlow={zone.isSlow || entries.isSlow} />
      {/* The banner reports an outage; the last results were for another name. */}
      <ProblemNotice problem={problem?.kind === 'refused' ? problem : undefined} />
      {zone.data !== undefined && problem === undefined && <Verdict check={zone.data} />}
      {result !== undefined && problem === undefined && <Matches result={result} />}
    </div>
  );
}

/** Checks a name as the user types it. */
export function NamesView({ session, place }: ViewProps) {
  const [typed, setTyped] = useState(place.query.get('name') ?? '');
  const [project, setProject] = useState(place.query.get('project') ?? '');
  const name = absolute(useSettled(typed, PAUSE));
  const forProject = useSettled(project.trim(), PAUSE);
  const keep = (changes: { readonly name?: string; readonly project?: string }) =>
    goTo(hrefOf(place.path, { name: typed, project, ...changes }), true);
  return (
    <>
      <h1 tabIndex={-1}>Names</h1>
      <p class="lead">
        Type a name to check whether a zone with that name can be created. The check stores and counts
        nothing.
      </p>
      <search class="tester">
        <TextField
          label="Name"
          isSearch
          isLarge
          type="search"
          placeholder="shop.example.org"
          value={typed}
          onValue={(value) => {
            setTyped(value);
            keep({ name: value });
          }}
        />
        {may(session, 'use_sudo') && (
          <TextField
            label="Project"
            placeholder={session.caller.project_id ?? 'Project ID'}
            value={project}
            onValue={(value) => {
              setProject(value);
              keep({ project: value });
            }}
          />
        )}
      </search>
      <Answers session={session} name={name} project={forProject} />
    </>
  );
}
