import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useCell } from '../cell.ts';
import { round } from './connection.ts';
import { asProblem, isGivenUp, type Problem } from './problem.ts';

/** What takes less is shown without a word, in milliseconds. */
export const UNNOTICED = 200;

export interface Asked<T> {
  /** The last answer, also while it is asked for again. */
  readonly data: T | undefined;
  readonly problem: Problem | undefined;
  /** Whether it has been waited for so long that people should be told. */
  readonly isSlow: boolean;
  /** Asks again. */
  again(): void;
}

/**
 * Asks, and asks again when one of the dependencies changes or somebody wants it.
 * @param ask undefined while there is nothing to ask
 */
export function useAsked<T>(
  ask: ((signal: AbortSignal) => Promise<T>) | undefined,
  dependencies: readonly unknown[],
): Asked<T> {
  const [answer, setAnswer] = useState<{ data?: T; problem?: Problem }>({});
  const [isSlow, setSlow] = useState(false);
  const [own, setOwn] = useState(0);
  const present = useRef(ask);
  present.current = ask;
  const everybody = useCell(round);

  // At once, not when the browser has painted: what is asked for takes its time beside that.
  useLayoutEffect(() => {
    const question = present.current;
    if (question === undefined) return setAnswer({});
    const control = new AbortController();
    const late = setTimeout(() => setSlow(true), UNNOTICED);
    const done = () => {
      clearTimeout(late);
      setSlow(false);
    };
    question(control.signal).then(
      (data) => {
        if (control.signal.aborted) return;
        done();
        setAnswer({ data });
      },
      (error: unknown) => {
        if (control.signal.aborted || isGivenUp(error)) return;
        done();
        const problem = asProblem(error);
        // What was there stays while the service is away.
        setAnswer(({ data }) => (problem.kind === 'refused' ? { problem } : { data, problem }));
      },
    );
    return () => {
      done();
      control.abort();
    };
  }, [...dependencies, own, everybody]);

  const again = useCallback(() => setOwn((count) => count + 1), []);
  return { data: answer.data, problem: answer.problem, isSlow, again };
}

/** Between two looks at what is under way, in milliseconds. */
const WATCH_PAUSE = 1000;
/** Between two looks for what is new, in milliseconds. */
export const NEWS_PAUSE = 5000;

/** Asks again and again while something is under way. */
export function useWatch(
  { data, problem, again }: Asked<unknown>,
  isUnderWay: boolean,
  pause = WATCH_PAUSE,
): void {
  useEffect(() => {
    // Where the service is away, everything is asked for again once it is back.
    if (!isUnderWay || problem !== undefined) return undefined;
    const timer = setTimeout(again, pause);
    return () => clearTimeout(timer);
  }, [data, problem, isUnderWay, pause, again]);
}

/** A value once it has not changed for a while. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** The first value that there is: what is asked for again does not change what a person works on. */
export function useFirst<T>(value: T | undefined): T | undefined {
  const first = useRef(value);
  first.current ??= value;
  return first.current;
}
