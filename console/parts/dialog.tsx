import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { depth, OutageBanner } from './trouble.tsx';
import { Working } from './working.tsx';

/** The first field to focus. */
const FIRST = 'input:not([type=file]), textarea, select';

/** Restores the focus; if its element is gone or about to go, focuses the view's heading. */
function giveBack(before: Element | null, isGone: boolean): void {
  const isThere = !isGone && before instanceof HTMLElement && before.isConnected && before !== document.body;
  const next = isThere ? before : document.querySelector<HTMLElement>('main h1');
  next?.focus({ preventScroll: true });
}

/** What closing a dialog would lose: changed fields, or a text that is shown only once. */
export type AtStake = 'input' | 'secret' | 'nothing';

/** The contents of all fields, to compare; undefined if there are none. */
function contentsOf(dialog: HTMLDialogElement | null): string | undefined {
  const fields = [...(dialog?.querySelectorAll<HTMLInputElement>('input, textarea, select') ?? [])];
  return fields.length === 0
    ? undefined
    : JSON.stringify(fields.map(({ value, checked }) => [value, checked]));
}

/** True if the fields differ from their initial contents. */
function useIsFilled(element: RefObject<HTMLDialogElement | null>): () => boolean {
  const first = useRef<string | undefined>(undefined);
  // Without dependencies: a form may appear later, once its contents are loaded.
  useLayoutEffect(() => {
    first.current ??= contentsOf(element.current);
  });
  return () => first.current !== undefined && contentsOf(element.current) !== first.current;
}

const QUESTIONS = {
  input: {
    title: 'Discard your input?',
    text: 'This form has not been saved.',
    leave: 'Discard',
    stay: 'Keep editing',
  },
  secret: {
    title: 'Have you copied it?',
    text: 'It will not be shown again.',
    leave: 'Close',
    stay: 'Go back',
  },
} as const;

function Question({
  about,
  onLeave,
  onStay,
}: {
  readonly about: keyof typeof QUESTIONS;
  onLeave(): void;
  onStay(): void;
}) {
  const { title, text, leave, stay } = QUESTIONS[about];
  return (
    <Dialog title={title} atStake="nothing" onClose={onStay}>
      <div class="leaving">
        <p>{text}</p>
        <div class="buttons">
          <button type="button" class="danger" onClick={onLeave}>
            {leave}
          </button>
          <button type="button" onClick={onStay}>
            {stay}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/**
 * A modal dialog that traps the focus, and restores it when closed. A click outside does nothing.
 * @param onClose for Escape and the close button; without it the dialog cannot be dismissed
 */
export function Dialog({
  title,
  isWide = false,
  leadsAway,
  atStake = 'input',
  onClose,
  children,
}: {
  readonly title: ComponentChildren;
  readonly isWide?: boolean;
  /** True if the action removes the element that had the focus. */
  readonly leadsAway?: RefObject<boolean>;
  /** Escape and the close button ask before the user loses this. */
  readonly atStake?: AtStake;
  readonly onClose?: (() => void) | undefined;
  readonly children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const isFilled = useIsFilled(element);
  const [question, setQuestion] = useState<keyof typeof QUESTIONS>();
  const [at, setAt] = useState<number>();
  const id = useId();
  useEffect(() => {
    depth.set(depth.value + 1);
    setAt(depth.value);
    return () => depth.set(depth.value - 1);
  }, []);
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    const first = dialog?.querySelector<HTMLElement>(FIRST);
    first?.focus();
    // Show a long text from its beginning.
    first?.scrollTo(0, 0);
    return () => {
      // A question goes with its dialog, which then restores the focus.
      if (!dialog?.open) return;
      dialog.querySelector('dialog')?.close();
      dialog.close();
      giveBack(before, leadsAway?.current ?? false);
    };
  }, []);
  const lost = (): keyof typeof QUESTIONS | undefined => {
    if (atStake === 'secret') return 'secret';
    return atStake === 'input' && isFilled() ? 'input' : undefined;
  };
  const dismiss = () => {
    const about = lost();
    if (about === undefined) onClose?.();
    else setQuestion(about);
  };
  // Without dependencies: it asks about what the dialog shows now.
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (lost() !== undefined) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  });
  return (
    <dialog
      ref={element}
      class={isWide ? 'wide' : ''}
      aria-labelledby={id}
      // Keeps the focus inside after a click on a text, so that Escape still works.
      tabIndex={-1}
      // Browsers close a dialog at the second Escape even if `cancel` is prevented, so handle the key itself.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing) return;
        event.preventDefault();
        event.stopPropagation();
        if (onClose !== undefined) dismiss();
      }}
      onCancel={(event) => {
        // File inputs also send this event when the user chooses no file.
        if (event.target !== element.current) return;
        event.preventDefault();
        if (onClose !== undefined) dismiss();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {onClose !== undefined && (
          <button type="button" class="plain close" aria-label="Close" onClick={dismiss}>
            ✕
          </button>
        )}
      </header>
      {at !== undefined && <OutageBanner at={at} hasInput={isFilled} />}
      {children}
      {question !== undefined && onClose !== undefined && (
        <Question about={question} onLeave={onClose} onStay={() => setQuestion(undefined)} />
      )}
      <Working />
    </dialog>
  );
}
