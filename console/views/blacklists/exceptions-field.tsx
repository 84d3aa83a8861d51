import type { Blacklist } from '../../api/types.ts';
import { TextField } from '../../parts/field.tsx';
import { Text } from '../../parts/text.tsx';

export type Exception = NonNullable<Blacklist['exceptions']>[number];

const NONE: Exception = { project_id: null, name: null, description: null, expires_at: null };

/** Exceptions: who may still use a matching name. */
export function ExceptionsField({
  value,
  onValue,
  fault,
}: {
  readonly value: readonly Exception[];
  onValue(value: readonly Exception[]): void;
  readonly fault?: string | undefined;
}) {
  const change = (place: number, changes: Partial<Exception>) =>
    onValue(value.map((one, at) => (at === place ? { ...one, ...changes } : one)));
  return (
    <fieldset class="exceptions">
      <legend>Exceptions</legend>
      {value.map((exception, place) => (
        // The rows have no ids, so the index identifies them.
        <div class="side-by-side" key={`${place} of ${value.length}`}>
          <TextField
            label="Project"
            value={exception.project_id ?? ''}
            onValue={(project_id) => change(place, { project_id })}
          />
          <TextField
            label="Name"
            placeholder="any"
            value={exception.name ?? ''}
            onValue={(name) => change(place, { name })}
          />
          <button type="button" onClick={() => onValue(value.filter((_, at) => at !== place))}>
            Remove
          </button>
        </div>
      ))}
      {fault !== undefined && (
        <p class="fault">
          <Text text={fault} />
        </p>
      )}
      <button type="button" onClick={() => onValue([...value, NONE])}>
        Add exception
      </button>
    </fieldset>
  );
}
