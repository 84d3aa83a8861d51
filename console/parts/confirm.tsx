import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from './action.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { ProblemNotice } from './notice.tsx';

/** Asks before an irreversible action. */
export function Confirm({
  title,
  verb,
  phrase,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: ComponentChildren;
  /** The label of the button. */
  readonly verb: string;
  /** What the user must type first, if anything. */
  readonly phrase?: string;
  onConfirm(): Promise<void>;
  onClose(): void;
  readonly children: ComponentChildren;
}) {
  const [typed, setTyped] = useState('');
  const isSure = phrase === undefined || typed.trim() === phrase;
  const action = useAction(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <Dialog title={title} atStake="nothing" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <div>{children}</div>
        {phrase !== undefined && (
          <TextField label={`Type ${phrase} to confirm`} value={typed} onValue={setTyped} />
        )}
        <ProblemNotice problem={action.problem} />
        <div class="buttons">
          <button type="submit" class="danger" disabled={!isSure || action.isRunning}>
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
