import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Text } from './text.tsx';

interface Frame {
  readonly label: ComponentChildren;
  readonly fault?: string | undefined;
  readonly note?: ComponentChildren;
}

interface Described {
  readonly id: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-describedby'?: string;
}

/** A label, a control, a note and an error. */
function Framed({
  label,
  fault,
  note,
  control,
}: Frame & { readonly control: (described: Described) => JSX.Element }) {
  const id = useId();
  const notes = [
    ...(note === undefined ? [] : [`${id}-note`]),
    ...(fault === undefined ? [] : [`${id}-fault`]),
  ];
  const described = {
    id,
    ...(fault === undefined ? {} : { 'aria-invalid': true as const }),
    ...(notes.length === 0 ? {} : { 'aria-describedby': notes.join(' ') }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control(described)}
      {note !== undefined && (
        <p class="note" id={`${id}-note`}>
          {note}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          <Text text={fault} />
        </p>
      )}
    </div>
  );
}

interface Input {
  readonly type?: 'text' | 'password' | 'search' | 'datetime-local';
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly autocomplete?: 'username' | 'current-password';
  /** True if "/" focuses the field. */
  readonly isSearch?: boolean;
  readonly isLarge?: boolean;
}

/** A one-line text input. */
export function TextField({
  label,
  fault,
  note,
  value,
  onValue,
  type = 'text',
  autocomplete,
  isSearch = false,
  isLarge = false,
  placeholder,
  required = false,
}: Frame & Input & { readonly value: string; onValue(value: string): void }) {
  return (
    <Framed
      label={label}
      fault={fault}
      note={note}
      control={(described) => (
        <input
          {...described}
          // The types treat each kind of input separately; these attributes are common to all of them.
          type={type as 'text'}
          autocomplete={autocomplete ?? 'off'}
          autocapitalize="off"
          spellcheck={false}
          placeholder={placeholder}
          required={required}
          class={isLarge ? 'large' : ''}
          data-search={isSearch ? '' : undefined}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    />
  );
}

/** A multi-line text input. */
export function LinesField({
  label,
  fault,
  note,
  value,
  onValue,
  rows = 4,
}: Frame & { readonly value: string; onValue(value: string): void; readonly rows?: number }) {
  return (
    <Framed
      label={label}
      fault={fault}
      note={note}
      control={(described) => (
        <textarea
          {...described}
          rows={rows}
          spellcheck={false}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    />
  );
}

/** A choice between a few values. */
export function ChoiceField<V extends string>({
  label,
  fault,
  note,
  value,
  choices,
  onValue,
}: Frame & {
  readonly value: V;
  readonly choices: readonly (readonly [value: V, text: string])[];
  onValue(value: V): void;
}) {
  return (
    <Framed
      label={label}
      fault={fault}
      note={note}
      control={(described) => (
        <select
          {...described}
          value={value}
          onChange={({ currentTarget }) => onValue(currentTarget.value as V)}
        >
          {choices.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    />
  );
}

export function CheckField({
  label,
  isOn,
  onChange,
}: {
  readonly label: string;
  readonly isOn: boolean;
  onChange(isOn: boolean): void;
}) {
  const id = useId();
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
    </div>
  );
}
