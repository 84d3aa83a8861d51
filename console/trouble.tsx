import { useEffect } from 'preact/hooks';
import { askAgain, trouble } from './api/connection.ts';
import { useCell } from './cell.ts';
import { Text } from './parts/told.tsx';

/** Shows that the service is unavailable; the console retries by itself. */
export function TroubleBanner() {
  const problem = useCell(trouble);
  useEffect(() => {
    window.addEventListener('online', askAgain);
    return () => window.removeEventListener('online', askAgain);
  }, []);
  if (problem === undefined) return null;
  return (
    <div class="trouble" role="alert">
      <p>
        <Text text={problem.message} /> <Text text={problem.hint} />
      </p>
      <button type="button" onClick={askAgain}>
        Try again
      </button>
    </div>
  );
}
