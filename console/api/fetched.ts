import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useCell } from '../cell.ts';
import { round } from './connection.ts';
import { asProblem, isGivenUp, type Problem } from './problem.ts';

/** Delay before a request is shown as pending, in milliseconds. */
export const UNNOTICED = 200;

export interface Fetched<T> {
  /** The last response, kept while it is reloaded. */
  readonly data: T | undefined;
  readonly problem: Problem | undefined;
  /** True once the request takes long enough to show it as pending. */
  readonly isSlow: boolean;
  /** Reloads. */
  again(): void;
}

/**
 * Loads data, and reloads it when a dependency changes or on demand.
 * @param ask undefined while there is nothing to load
 */
export function useFetched<T>(
  ask: ((signal: AbortSignal) => Promise<T>) | undefined,
  dependencies: readonly unknown[],
): Fetched<T> {
  const [answer, setAnswer] = useState<{ data?: T; problem?: Problem }>({});
  const [isSlow, setSlow] = useState(false);
  const [own, setOwn] = useState(0);
  const present = useRef(ask);
  present.current = ask;
  const everybody = useCell(round);

  // Before the browser paints, so that the request runs meanwhile.
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
        // Keeps the data while the service is unavailable.
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

/** Poll interval of running operations, in milliseconds. */
const WATCH_INTERVAL = 1000;
/** Poll interval for new events, in milliseconds. */
export const NEWS_INTERVAL = 5000;

/** Polls while something is in progress. */
export function useWatch(
  { data, problem, again }: Fetched<unknown>,
  isUnderWay: boolean,
  pause = WATCH_INTERVAL,
): void {
  useEffect(() => {
    // While the service is unavailable, the connection reloads everything once it is back.
    if (!isUnderWay || problem !== undefined) return undefined;
    const timer = setTimeout(again, pause);
    return () => clearTimeout(timer);
  }, [data, problem, isUnderWay, pause, again]);
}

/** A debounced value. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** The first value available, so that a reload does not change what the user is editing. */
export function useFirst<T>(value: T | undefined): T | undefined {
  const first = useRef(value);
  first.current ??= value;
  return first.current;
}
