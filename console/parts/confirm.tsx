import type { ComponentChildren } from 'preact';
import { useAction } from './action.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './notice.tsx';

/** Asks before an irreversible action. */
export function Confirm({
  title,
  verb,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: ComponentChildren;
  /** What the button says. */
  readonly verb: string;
  onConfirm(): Promise<void>;
  onClose(): void;
  readonly children: ComponentChildren;
}) {
  const action = useAction(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <div>{children}</div>
        <ProblemNotice problem={action.problem} />
        <div class="buttons">
          <button type="submit" class="danger" disabled={action.isRunning}>
            {verb}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
