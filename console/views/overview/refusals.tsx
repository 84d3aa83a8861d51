import { may, type Session } from '../../api/session.ts';
import type { Statistics } from '../../api/types.ts';
import { dateOf, grouped, momentOf, visible } from '../../parts/text.tsx';
import { hrefOf } from '../../place.ts';

type Refusal = Statistics['refusals'][number];

const HOURS = 24;
const HOUR_MS = 3_600_000;
const SHOWN = 6;
const CHART = { width: 240, height: 48, gap: 2 };

/** The counts of the last 24 hours by hour, oldest first. */
function byHour(refusals: readonly Refusal[], now: number): readonly { at: number; count: number }[] {
  const present = Math.floor(now / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS }, (_, place) => {
    const at = present - (HOURS - 1 - place) * HOUR_MS;
    const ofHour = refusals.filter(({ hour }) => dateOf(hour).getTime() === at);
    return { at, count: ofHour.reduce((sum, { count }) => sum + count, 0) };
  });
}

interface Cause {
  readonly type: string;
  readonly blacklistId: string | null;
  readonly pattern: string | null;
  readonly count: number;
}

/** The causes of rejections in the last 24 hours, most frequent first. */
function causesOf(refusals: readonly Refusal[], now: number): readonly Cause[] {
  const causes = new Map<string, Cause>();
  for (const { type, blacklist_id: blacklistId, pattern, count, hour } of refusals) {
    if (dateOf(hour).getTime() <= now - HOURS * HOUR_MS) continue;
    const key = `${type} ${blacklistId}`;
    causes.set(key, { type, blacklistId, pattern, count: count + (causes.get(key)?.count ?? 0) });
  }
  return [...causes.values()].sort((a, b) => b.count - a.count);
}

const WORDS: Readonly<Record<string, string>> = {
  'refused.blacklist': 'blacklist',
  'refused.undecided': 'check took too long',
  'refused.quota': 'quota',
  'refused.ownership': "other projects' zones",
  'refused.policy': 'policy',
  'refused.transfer_key': 'wrong transfer key',
};

function Chart({ hours }: { readonly hours: readonly { at: number; count: number }[] }) {
  const most = Math.max(1, ...hours.map(({ count }) => count));
  const step = CHART.width / hours.length;
  const total = hours.reduce((sum, { count }) => sum + count, 0);
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${CHART.width} ${CHART.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${grouped(total)} rejected in the last ${HOURS} hours, at most ${grouped(most)} per hour`}
    >
      {hours.map(({ at, count }, place) => {
        const height = count === 0 ? 1 : Math.max(2, (count / most) * CHART.height);
        return (
          <rect
            key={at}
            class={count === 0 ? 'none' : ''}
            x={place * step}
            y={CHART.height - height}
            width={step - CHART.gap}
            height={height}
          >
            <title>{`${momentOf(new Date(at))}: ${grouped(count)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

function CauseName({ cause, isPatternShown }: { readonly cause: Cause; readonly isPatternShown: boolean }) {
  const { blacklistId, pattern, type } = cause;
  if (blacklistId === null) return <span>{WORDS[type] ?? type}</span>;
  if (pattern === null && isPatternShown) return <span class="quiet">deleted entry</span>;
  return (
    <a href={hrefOf(`blacklists/${blacklistId}`)}>
      <code class="pattern">
        <bdi>{visible(pattern ?? blacklistId)}</bdi>
      </code>
    </a>
  );
}

/** Rejections of the last 24 hours, with their causes. */
export function Refusals({
  statistics: { refusals, more_refusals },
  session,
}: {
  readonly statistics: Statistics;
  readonly session: Session;
}) {
  const now = Date.now();
  const causes = causesOf(refusals, now).slice(0, SHOWN);
  return (
    <section class="card">
      <h2>Rejected in the last 24 hours</h2>
      <Chart hours={byHour(refusals, now)} />
      {causes.length === 0 && <p class="quiet">Nothing was rejected.</p>}
      <ul class="rows">
        {causes.map((cause) => (
          <li key={`${cause.type} ${cause.blacklistId}`}>
            <CauseName cause={cause} isPatternShown={may(session, 'get_blacklist')} />
            <span class="number">{grouped(cause.count)}</span>
          </li>
        ))}
      </ul>
      {more_refusals && <p class="quiet">More causes are not shown.</p>}
    </section>
  );
}
