import { useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/problem.ts';

export interface Action<A extends readonly unknown[]> {
  /** Runs it, once at a time. Resolves when it is over, however it ended. */
  run(...given: A): Promise<void>;
  readonly isRunning: boolean;
  /** Why the last run did not come about. */
  readonly problem: Problem | undefined;
  forget(): void;
}

/** Something that a person wants done. */
export function useAction<A extends readonly unknown[]>(act: (...given: A) => Promise<void>): Action<A> {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const running = useRef(false);
  return {
    isRunning,
    problem,
    forget: () => setProblem(undefined),
    async run(...given) {
      if (running.current) return;
      running.current = true;
      setRunning(true);
      setProblem(undefined);
      try {
        await act(...given);
      } catch (error) {
        setProblem(asProblem(error));
      } finally {
        running.current = false;
        setRunning(false);
      }
    },
  };
}
