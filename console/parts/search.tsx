import { useEffect, useRef, useState } from 'preact/hooks';
import { useSettled } from '../api/asked.ts';
import { TextField } from './field.tsx';

/** How long nothing is typed before a list is asked for, in milliseconds. */
const PAUSE = 300;

/** As the API filters: whoever writes no `*` means a part. */
export function partOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  return text.includes('*') ? text : `*${text}*`;
}

/** A filter of a list, which is in force as soon as nobody types. */
export function SearchField({
  label,
  value,
  onValue,
  isFirst = false,
  placeholder,
}: {
  readonly label: string;
  readonly value: string;
  onValue(value: string): void;
  /** Whether "/" leads here. */
  readonly isFirst?: boolean;
  readonly placeholder?: string;
}) {
  const [typed, setTyped] = useState(value);
  const settled = useSettled(typed.trim(), PAUSE);
  const told = useRef(value);
  useEffect(() => {
    if (settled === told.current) return;
    told.current = settled;
    onValue(settled);
  }, [settled, onValue]);
  // Somebody else has changed it: the button of the browser that goes back.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  return (
    <TextField
      label={label}
      type="search"
      isSearch={isFirst}
      placeholder={placeholder ?? 'Search (* = wildcard)'}
      value={typed}
      onValue={setTyped}
    />
  );
}
