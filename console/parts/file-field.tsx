import { useId } from 'preact/hooks';
import { sized, Text } from './text.tsx';

/** A file input; browsers accept dropped files, too. */
export function FileField({
  label,
  file,
  onFile,
}: {
  readonly label: string;
  readonly file: File | undefined;
  onFile(file: File): void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="drop"
        type="file"
        aria-describedby={`${id}-note`}
        onChange={({ currentTarget }) => {
          const [first] = currentTarget.files ?? [];
          if (first !== undefined) onFile(first);
        }}
      />
      <p class="note" id={`${id}-note`}>
        {file === undefined ? (
          'Choose a file or drop one here.'
        ) : (
          <>
            <Text text={file.name} />, {sized(file.size)}
          </>
        )}
      </p>
    </div>
  );
}
