import { useRef, useState } from 'preact/hooks';
import { trouble } from '../api/connection.ts';
import { UNNOTICED } from '../api/fetched.ts';
import { asProblem, type Problem, past } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { useCell } from '../cell.ts';
import { noteWorking } from './working.tsx';

export interface Action<A extends readonly unknown[]> {
  /** Runs the action, one run at a time. Resolves when it ends, even if it fails. */
  run(...given: A): Promise<void>;
  readonly isRunning: boolean;
  /** Why the last run failed. */
  readonly problem: Problem | undefined;
  forget(): void;
}

/** Marks a problem with the service or the token as resolved once it is. */
function usePresent(problem: Problem | undefined): Problem | undefined {
  const isAway = useCell(trouble) !== undefined;
  const isOver = useCell(session)?.isOver ?? false;
  const isPast = (problem?.kind === 'away' && !isAway) || (problem?.kind === 'over' && !isOver);
  return problem !== undefined && isPast ? past(problem) : problem;
}

/** Waits for a response, and shows it as pending if it takes long. */
async function waitedFor(work: Promise<void>): Promise<void> {
  let done = (): void => {};
  const late = setTimeout(() => {
    done = noteWorking();
  }, UNNOTICED);
  try {
    await work;
  } finally {
    clearTimeout(late);
    done();
  }
}

/** An action of the user. */
export function useAction<A extends readonly unknown[]>(act: (...given: A) => Promise<void>): Action<A> {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const running = useRef(false);
  return {
    isRunning,
    problem: usePresent(problem),
    forget: () => setProblem(undefined),
    async run(...given) {
      if (running.current) return;
      running.current = true;
      setRunning(true);
      setProblem(undefined);
      try {
        await waitedFor(act(...given));
      } catch (error) {
        setProblem(asProblem(error));
      } finally {
        running.current = false;
        setRunning(false);
      }
    },
  };
}
