import { useEffect } from 'preact/hooks';
import { askAgain, trouble } from '../api/connection.ts';
import { cell, useCell } from '../cell.ts';
import { Text } from './text.tsx';

/** Number of stacked open dialogs; only the topmost is usable. */
export const depth = cell(0);

/**
 * Shows that the service is unavailable; the console retries by itself.
 * @param at the depth of the dialog it is in, 0 for the page; shown only in the topmost
 */
export function OutageBanner({ at, hasInput }: { readonly at: number; readonly hasInput?: () => boolean }) {
  const problem = useCell(trouble);
  const top = useCell(depth);
  useEffect(() => {
    if (at !== 0) return undefined;
    window.addEventListener('online', askAgain);
    return () => window.removeEventListener('online', askAgain);
  }, [at]);
  if (problem === undefined || at !== top) return null;
  return (
    <div class="trouble" role="alert">
      <p>
        <Text text={problem.message} /> <Text text={problem.hint} />
        {hasInput?.() && ' Your input is still here.'}
      </p>
      <button type="button" onClick={askAgain}>
        Try again
      </button>
    </div>
  );
}
