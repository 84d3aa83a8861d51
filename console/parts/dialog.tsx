import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/**
 * A window in front of the page, which keeps the focus until it is closed; then the focus is where it was.
 * @param onClose what Escape and the button do; without it the person has to do what the window asks for
 */
export function Dialog({
  title,
  isWide = false,
  onClose,
  children,
}: {
  readonly title: string;
  readonly isWide?: boolean;
  readonly onClose?: (() => void) | undefined;
  readonly children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
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
    </dialog>
  );
}
