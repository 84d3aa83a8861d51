import { useEffect, useRef, useState } from 'preact/hooks';
import { useSettled } from '../api/fetched.ts';
import { TextField } from './field.tsx';

/** Debounce before a list is loaded, in milliseconds. */
const PAUSE = 300;

/** The filter for the API: text without `*` matches anywhere in the value. */
export function partOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  return text.includes('*') ? text : `*${text}*`;
}

/** A list filter, applied once the user stops typing. */
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
  /** True if "/" focuses the field. */
  readonly isFirst?: boolean;
  readonly placeholder?: string;
}) {
  const [typed, setTyped] = useState(value);
  const settled = useSettled(typed.trim(), PAUSE);
  const reported = useRef(value);
  useEffect(() => {
    if (settled === reported.current) return;
    reported.current = settled;
    onValue(settled);
  }, [settled, onValue]);
  // The value changed from outside, such as by the browser's back button.
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
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
