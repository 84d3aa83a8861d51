import { useEffect, useRef, useState } from 'preact/hooks';
import { api, dataOf } from '../../api/client.ts';
import { round } from '../../api/connection.ts';
import { useSettled } from '../../api/fetched.ts';
import { asProblem, isGivenUp, type Problem } from '../../api/problem.ts';
import type { Preview, PreviewZone } from '../../api/types.ts';
import { useCell } from '../../cell.ts';
import { Notice, ProblemNotice } from '../../parts/notice.tsx';
import { DnsName, grouped, Text, visible } from '../../parts/text.tsx';
import { hrefOf } from '../../place.ts';

/** Debounce before a preview starts, in milliseconds. */
const PAUSE = 400;
/** Poll interval for a preview, in milliseconds. */
const POLL = 300;
const SHOWN = 10;

export type Mode = Preview['mode'];

/** The results of a preview, and the pattern and mode they belong to. */
export interface Looked {
  readonly pattern?: string;
  readonly mode?: Mode;
  readonly preview?: Preview;
  readonly zones?: readonly PreviewZone[];
  readonly problem?: Problem;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const isUnderWay = ({ status }: Preview): boolean => status === 'PENDING' || status === 'RUNNING';

async function zonesOf(id: string, signal: AbortSignal): Promise<readonly PreviewZone[]> {
  const params = { path: { preview_id: id }, query: { limit: SHOWN } };
  return (await dataOf(api.GET('/v2/blacklists/previews/{preview_id}/zones', { params, signal }))).zones;
}

/** Runs a preview until it is complete or aborted. */
async function look(
  body: { readonly pattern: string; readonly mode: Mode },
  show: (looked: Looked) => void,
  signal: AbortSignal,
): Promise<void> {
  let preview = await dataOf(api.POST('/v2/blacklists/previews', { body }));
  const path = { preview_id: preview.id };
  // Each project runs one preview at a time, so delete an abandoned one.
  const leave = () => void api.DELETE('/v2/blacklists/previews/{preview_id}', { params: { path } });
  if (signal.aborted) return leave();
  signal.addEventListener('abort', leave);
  for (;;) {
    const zones = preview.zones.listed > 0 ? await zonesOf(preview.id, signal) : [];
    show({ preview, zones });
    if (!isUnderWay(preview)) return;
    await pause(POLL);
    const params = { path };
    preview = await dataOf(api.GET('/v2/blacklists/previews/{preview_id}', { params, signal }));
  }
}

/** A counter that changes when a preview that failed during an outage should be retried. */
function useAttempt(problem: Problem | undefined): number {
  const present = useCell(round);
  const seen = useRef(present);
  const attempt = useRef(0);
  if (present !== seen.current && problem?.kind === 'away') attempt.current += 1;
  seen.current = present;
  return attempt.current;
}

/** Previews which existing zones a pattern matches. */
export function usePreview(typed: string, mode: Mode): Looked {
  const pattern = useSettled(typed, PAUSE);
  const [looked, setLooked] = useState<Looked>({});
  const attempt = useAttempt(looked.problem);
  useEffect(() => {
    setLooked({});
    if (pattern === '') return undefined;
    const control = new AbortController();
    const show = (found: Looked) => {
      if (!control.signal.aborted) setLooked({ ...found, pattern, mode });
    };
    look({ pattern, mode }, show, control.signal).catch((error: unknown) => {
      if (!isGivenUp(error)) show({ problem: asProblem(error) });
    });
    return () => control.abort();
  }, [pattern, mode, attempt]);
  return looked;
}

/** The effect of an entry on matching names, by mode. */
export const EFFECTS: Readonly<Record<Mode, string>> = {
  enforce: 'Creating names like these would be rejected.',
  warn: 'Creating names like these would give a warning.',
  audit: 'Creating names like these would be recorded.',
};

function Counts({ preview }: { readonly preview: Preview }) {
  const { total, seen, matched, undecided } = preview.zones;
  return (
    <>
      <p>
        <strong class="large-number">{grouped(matched)}</strong> of {grouped(seen)} existing zones match.
        {matched > 0 && ` ${EFFECTS[preview.mode]}`}
      </p>
      {undecided > 0 && <p>{grouped(undecided)} could not be checked in time.</p>}
      {isUnderWay(preview) && (
        <progress class="bar" max={Math.max(1, total)} value={seen} aria-label="Zones checked" />
      )}
      {preview.message !== null && (
        <p>
          <Text text={preview.message} />
        </p>
      )}
    </>
  );
}

function Zones({ zones, matched }: { readonly zones: readonly PreviewZone[]; readonly matched: number }) {
  if (zones.length === 0) return null;
  return (
    <>
      <ul class="rows">
        {zones.map(({ id, name, project_id, undecided }) => (
          <li key={id}>
            <DnsName name={name} href={hrefOf(`zones/${id}`)} />
            <span class="quiet">
              <bdi>{visible(project_id)}</bdi>
              {undecided && ' (not checked in time)'}
            </span>
          </li>
        ))}
      </ul>
      {matched > zones.length && <p class="quiet">and {grouped(matched - zones.length)} more.</p>}
    </>
  );
}

/** The zones that an unsaved pattern matches. */
export function PreviewPanel({ looked: { preview, zones = [], problem } }: { readonly looked: Looked }) {
  return (
    <section class="preview" aria-label="Preview" aria-live="polite">
      <h3>Preview: matching zones</h3>
      <ProblemNotice problem={problem} />
      {preview === undefined && problem === undefined && (
        <p class="quiet">Type a pattern to see the existing zones that it matches. Nothing is stored yet.</p>
      )}
      {preview !== undefined && preview.faults.length > 0 && (
        <Notice tone="bad">
          {preview.faults.map((fault) => (
            <p key={fault}>
              <Text text={fault} />
            </p>
          ))}
        </Notice>
      )}
      {preview !== undefined && preview.warnings.length > 0 && (
        <Notice tone="warn">
          {preview.warnings.map(({ code, message }) => (
            <p key={code}>
              <Text text={message} />
            </p>
          ))}
        </Notice>
      )}
      {preview !== undefined && preview.faults.length === 0 && (
        <>
          <Counts preview={preview} />
          <Zones zones={zones} matched={preview.zones.matched} />
        </>
      )}
    </section>
  );
}
