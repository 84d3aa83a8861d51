import type { ComponentChildren } from 'preact';
import { trouble } from '../api/connection.ts';
import type { Fault, Problem } from '../api/problem.ts';
import { cell, useCell } from '../cell.ts';
import { Text } from './text.tsx';
import { Working } from './working.tsx';

export type Tone = 'good' | 'bad' | 'warn' | 'calm';

/** A highlighted box. */
export function Notice({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <div class={`notice ${tone}`}>{children}</div>;
}

/** The location of an error, as text. */
function placeOf({ path }: Fault): string {
  const [first, ...rest] = path;
  return [first === 'line' ? 'Line' : first, ...rest].join(' ');
}

/**
 * True if the problem is shown elsewhere: an unavailable service by the banner, an invalid token by the login dialog.
 */
function useIsToldElsewhere(problem: Problem | undefined): boolean {
  const banner = useCell(trouble);
  return problem?.kind === 'over' || (problem?.kind === 'away' && problem.message === banner?.message);
}

/** Shows a problem with the API's message. @param besides fields whose errors are shown elsewhere */
export function ProblemNotice({
  problem,
  besides = [],
}: {
  readonly problem: Problem | undefined;
  readonly besides?: readonly string[];
}) {
  const isToldElsewhere = useIsToldElsewhere(problem);
  if (problem === undefined || isToldElsewhere) return null;
  const faults = problem.faults.filter(({ path }) => !besides.includes(String(path[0])));
  if (problem.faults.length > 0 && faults.length === 0) {
    return (
      <div class="notice bad" role="alert">
        Fix the highlighted fields.
      </div>
    );
  }
  const isPast = problem.kind === 'past';
  return (
    <div class={`notice ${isPast ? 'warn' : 'bad'}`} role="alert">
      {faults.length === 0 && (
        <p>
          <Text text={problem.message} />
        </p>
      )}
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={`${fault.path.join('.')} ${fault.message}`}>
              {fault.path.length > 0 && (
                <strong>
                  <Text text={placeOf(fault)} />:{' '}
                </strong>
              )}
              <Text text={fault.message} />
            </li>
          ))}
        </ul>
      )}
      {problem.hint !== undefined && (
        <p>
          <Text text={problem.hint} />
        </p>
      )}
      {isPast && (
        <p>
          <strong>You can try again now.</strong>
        </p>
      )}
      {problem.requestId !== undefined && <p class="quiet">Request ID: {problem.requestId}</p>}
    </div>
  );
}

/** The error of one field, if any. */
export function faultAt(problem: Problem | undefined, field: string): string | undefined {
  const found = problem?.faults.filter(({ path }) => path[0] === field).map(({ message }) => message);
  return found === undefined || found.length === 0 ? undefined : found.join(' ');
}

/** The result of the last action. */
const result = cell<{ readonly text: ComponentChildren; readonly at: number } | undefined>(undefined);
const SHOWN_MS = 8000;
let drawn = 0;

/** Shows the result of an action, and announces it to screen readers. */
export function announce(text: ComponentChildren): void {
  drawn += 1;
  const at = drawn;
  result.set({ text, at });
  setTimeout(() => {
    if (result.value?.at === at) result.set(undefined);
  }, SHOWN_MS);
}

/** Where results appear. */
export function Results() {
  const present = useCell(result);
  return (
    <div class="results" role="status" aria-live="polite">
      {present !== undefined && (
        <p key={present.at} class="result">
          {present.text}
        </p>
      )}
      <Working />
    </div>
  );
}
