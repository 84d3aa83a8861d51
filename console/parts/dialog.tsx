import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Working } from './working.tsx';

/** Where somebody begins to write. */
const FIRST = 'input:not([type=file]), textarea, select';

/** Gives the focus back to where it was; where that is gone, or about to go, to the heading of the view. */
function giveBack(before: Element | null, isGone: boolean): void {
  const isThere = !isGone && before instanceof HTMLElement && before.isConnected && before !== document.body;
  const next = isThere ? before : document.querySelector<HTMLElement>('main h1');
  next?.focus({ preventScroll: true });
}

/**
 * A window in front of the page, which keeps the focus until it is closed; then the focus is where it was.
 * @param onClose what Escape and the button do; without it the person has to do what the window asks for
 */
export function Dialog({
  title,
  isWide = false,
  leadsAway,
  onClose,
  children,
}: {
  readonly title: ComponentChildren;
  readonly isWide?: boolean;
  /** Whether what had the focus goes with what was done here. */
  readonly leadsAway?: RefObject<boolean>;
  readonly onClose?: (() => void) | undefined;
  readonly children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    const first = dialog?.querySelector<HTMLElement>(FIRST);
    first?.focus();
    // A long text is seen from its beginning.
    first?.scrollTo(0, 0);
    return () => {
      dialog?.close();
      giveBack(before, leadsAway?.current ?? false);
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={isWide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {onClose !== undefined && (
          <button type="button" class="plain close" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        )}
      </header>
      {children}
      <Working />
    </dialog>
  );
}
