import { useEffect } from 'preact/hooks';
import { askAgain, trouble } from './api/connection.ts';
import { useCell } from './cell.ts';
import { visible } from './parts/told.tsx';

/** Where the service does not say when to try again. */
const USUAL_PAUSE = 5;

/** Says that the service does not answer, and asks again by itself. */
export function TroubleBanner() {
  const problem = useCell(trouble);
  useEffect(() => {
    if (problem === undefined) return undefined;
    const seconds = Math.max(USUAL_PAUSE, problem.retryAfter ?? USUAL_PAUSE);
    const timer = setTimeout(askAgain, seconds * 1000);
    window.addEventListener('online', askAgain);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', askAgain);
    };
  }, [problem]);
  if (problem === undefined) return null;
  return (
    <div class="trouble" role="alert">
      <p>
        {visible(problem.message)} {problem.hint !== undefined && visible(problem.hint)}
      </p>
      <button type="button" onClick={askAgain}>
        Try again
      </button>
    </div>
  );
}
