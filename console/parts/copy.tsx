import { useState } from 'preact/hooks';
import { announce } from './notice.tsx';

/** Copies a text to the clipboard. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      announce(`Copied ${what}.`);
    } catch {
      announce('Your browser blocks copying here. Select the text and copy it yourself.');
    }
  };
  return (
    <button type="button" onClick={copy}>
      {isDone ? 'Copied' : `Copy ${what}`}
    </button>
  );
}
