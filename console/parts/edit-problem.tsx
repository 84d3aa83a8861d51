import { isOverwriting } from '../api/as-read.ts';
import type { Problem } from '../api/problem.ts';
import { Difference } from './difference.tsx';
import { type Edit, type Form, isSame, type Meanwhile } from './edit.ts';
import { ProblemNotice } from './notice.tsx';

/** The value of a field, in one line. */
function lineOf(shown: unknown): string {
  if (shown === null) return '';
  if (Array.isArray(shown)) return shown.map(lineOf).join(', ');
  if (typeof shown !== 'object') return String(shown).replaceAll('\n', ', ');
  const parts = Object.values(shown).map(lineOf);
  return parts.filter((part) => part !== '').join(' ');
}

/** The values of one draft that differ from another, by field label. */
function differing<T, D>({ fields }: Form<T, D>, one: D, other: D): Readonly<Record<string, string>> {
  const found = fields.filter(([field]) => !isSame(one[field], other[field]));
  return Object.fromEntries(found.map(([field, label]) => [label, lineOf(one[field])]));
}

/** A button that disappears when pressed; focuses the save button. */
function Choice({ text, onChosen }: { readonly text: string; onChosen(): void }) {
  return (
    <button
      type="button"
      onClick={({ currentTarget: { form } }) => {
        form?.querySelector<HTMLElement>('[type=submit]')?.focus();
        onChosen();
      }}
    >
      {text}
    </button>
  );
}

function Overtaken<T, D>({
  edit: { form, keep, drop },
  meanwhile: { before, after },
}: {
  readonly edit: Edit<T, D>;
  readonly meanwhile: Meanwhile<T, D>;
}) {
  const changes = differing(form, after, before);
  const isElsewhere = Object.keys(changes).length === 0;
  return (
    <div class="notice warn">
      <p role="alert">
        Someone else changed this since you opened it.
        {isElsewhere && ' The fields shown here are unchanged.'}
      </p>
      <Difference
        caption="Their changes"
        titles={['Before', 'Now']}
        before={differing(form, before, after)}
        after={changes}
      />
      <p>If you keep your edit, your changes stay and all other fields take the current values.</p>
      <div class="buttons">
        <Choice text="Keep my edit" onChosen={keep} />
        <Choice text="Discard my edit" onChosen={drop} />
      </div>
    </div>
  );
}

/** Why an edit was not saved; after a conflict, the other user's changes and how to proceed. */
export function EditProblem<T, D>({
  edit,
  problem,
}: {
  readonly edit: Edit<T, D>;
  readonly problem: Problem | undefined;
}) {
  const { form, meanwhile } = edit;
  if (meanwhile === undefined && isOverwriting(problem)) {
    return (
      <div class="notice calm" role="status">
        The form now includes the latest changes. Nothing is stored until you save.
      </div>
    );
  }
  return (
    <>
      <ProblemNotice problem={problem} besides={form.fields.map(([field]) => field)} />
      {meanwhile !== undefined && <Overtaken edit={edit} meanwhile={meanwhile} />}
    </>
  );
}
