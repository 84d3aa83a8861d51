import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Working } from './working.tsx';

/** The first field to focus. */
const FIRST = 'input:not([type=file]), textarea, select';

/** Restores the focus; if its element is gone or about to go, focuses the heading of the view. */
function giveBack(before: Element | null, isGone: boolean): void {
  const isThere = !isGone && before instanceof HTMLElement && before.isConnected && before !== document.body;
  const next = isThere ? before : document.querySelector<HTMLElement>('main h1');
  next?.focus({ preventScroll: true });
}

/**
 * A modal dialog that traps the focus, and restores it when closed.
 * @param onClose for Escape and the close button; without it the dialog cannot be dismissed
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
  /** Whether the action removes the element that had the focus. */
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
    // Show a long text from its beginning.
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
