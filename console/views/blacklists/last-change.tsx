import { useAction } from '../../parts/action.tsx';
import { announce, ProblemNotice } from '../../parts/notice.tsx';
import { Text } from '../../parts/text.tsx';
import type { Change } from './entry-dialog.tsx';

/** The last change, with a button to undo it while nobody else has changed the entry. */
export function LastChange({ change, onUndone }: { readonly change: Change; onUndone(): void }) {
  const undo = useAction(async () => {
    await change.undo();
    announce('Change undone.');
    onUndone();
  });
  return (
    <div class="notice good">
      <p>
        {change.done} <Text text={change.pattern} />
      </p>
      {change.besides !== undefined && (
        <p>
          <Text text={change.besides} />
        </p>
      )}
      <ProblemNotice problem={undo.problem} />
      <div class="buttons">
        <button type="button" onClick={() => void undo.run()} disabled={undo.isRunning}>
          Undo
        </button>
      </div>
    </div>
  );
}
