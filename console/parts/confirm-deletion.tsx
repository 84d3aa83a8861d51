import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { asRead, contentsOf, isOverwriting } from '../api/as-read.ts';
import type { ApiResponse } from '../api/client.ts';
import { useFetched } from '../api/fetched.ts';
import { useAction } from './action.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './notice.tsx';
import { Waiting } from './waiting.tsx';

/** Shows the current contents, and deletes the resource if they are unchanged when the user confirms. */
export function ConfirmDeletion<T extends object, R>({
  title,
  seen,
  fields,
  read,
  verb = () => 'Delete',
  remove,
  onDeleted,
  onClose,
  children,
}: {
  readonly title: string;
  /** The resource as the list shows it. */
  readonly seen: T;
  /** The fields that users edit. */
  readonly fields: readonly (keyof T)[];
  read(signal?: AbortSignal): Promise<ApiResponse<T>>;
  /** The label of the button. */
  readonly verb?: (thing: T) => string;
  remove(thing: T, etag: string): Promise<R>;
  onDeleted(result: R): void;
  onClose(): void;
  /** Describes what is deleted. */
  readonly children: (thing: T) => ComponentChildren;
}) {
  const found = useFetched(read, []);
  const present = found.data;
  const isDone = useRef(false);
  const action = useAction(async () => {
    if (present === undefined) return;
    try {
      const result = await asRead(present, fields, read, (etag) => remove(present.data, etag));
      isDone.current = true;
      onClose();
      onDeleted(result);
    } catch (error) {
      if (!isOverwriting(error)) throw error;
      found.again();
    }
  });
  const isChanged = present !== undefined && contentsOf(present.data, fields) !== contentsOf(seen, fields);
  return (
    <Dialog title={title} leadsAway={isDone} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <Waiting isSlow={found.isSlow} />
        <ProblemNotice problem={found.problem} />
        {isChanged && (
          <div class="notice warn" role="alert">
            Someone changed this since you opened it. Current contents:
          </div>
        )}
        {present !== undefined && <div class="leaving">{children(present.data)}</div>}
        <ProblemNotice problem={action.problem} />
        <div class="buttons">
          <button type="submit" class="danger" disabled={action.isRunning || present === undefined}>
            {present === undefined ? 'Delete' : verb(present.data)}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
