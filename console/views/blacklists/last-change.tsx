import { useAction } from '../../parts/action.tsx';
import { announce, ProblemNotice } from '../../parts/notice.tsx';
import { Text } from '../../parts/told.tsx';
import type { Change } from './entry-dialog.tsx';

/** The last change, which can be taken back while nobody else has changed the entry. */
export function LastChange({ change, onUndone }: { readonly change: Change; onUndone(): void }) {
  const undo = useAction(async () => {
    await change.undo();
    announce('The change is taken back.');
    onUndone();
  });
  return (
    <div class="notice good">
      <p>
        <Text text={change.pattern} /> <Text text={change.words} />
      </p>
      <ProblemNotice problem={undo.problem} />
      <div class="buttons">
        <button type="button" onClick={() => void undo.run()} disabled={undo.isRunning}>
          Undo
        </button>
      </div>
    </div>
  );
}
