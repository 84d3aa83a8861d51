import { useRef, useState } from 'preact/hooks';
import { UNNOTICED } from '../api/asked.ts';
import { trouble } from '../api/connection.ts';
import { asProblem, type Problem, past } from '../api/problem.ts';
import { useCell } from '../cell.ts';
import { session } from '../session.ts';
import { noteWorking } from './working.tsx';

export interface Action<A extends readonly unknown[]> {
  /** Runs it, once at a time. Resolves when it is over, however it ended. */
  run(...given: A): Promise<void>;
  readonly isRunning: boolean;
  /** Why the last run did not come about. */
  readonly problem: Problem | undefined;
  forget(): void;
}

/** A problem that was one with the service, or with the token, and is over now, says so. */
function usePresent(problem: Problem | undefined): Problem | undefined {
  const isAway = useCell(trouble) !== undefined;
  const isOver = useCell(session)?.isOver ?? false;
  const isPast = (problem?.kind === 'away' && !isAway) || (problem?.kind === 'over' && !isOver);
  return problem !== undefined && isPast ? past(problem) : problem;
}

/** Waits for an answer, and has people told where that takes long. */
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

/** Something that a person wants done. */
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
