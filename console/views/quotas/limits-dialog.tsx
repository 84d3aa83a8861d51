import { type ApiResponse, api, dataOf, responseTo } from '../../api/client.ts';
import { useFetched, useFirst } from '../../api/fetched.ts';
import type { Quotas } from '../../api/types.ts';
import { useAction } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { type Form, useEdit } from '../../parts/edit.ts';
import { EditProblem } from '../../parts/edit-problem.tsx';
import { TextField } from '../../parts/field.tsx';
import { faultAt, ProblemNotice } from '../../parts/notice.tsx';
import { Text } from '../../parts/text.tsx';
import { numberIn } from '../../parts/typed.ts';
import { Waiting } from '../../parts/waiting.tsx';
import { type Key, LIMITS } from './limits.ts';

type Draft = Readonly<Record<Key, string>>;

interface Opened {
  readonly projectId: string;
  onChanged(projectId: string): void;
  onClose(): void;
}

const FORM: Form<Quotas, Draft> = {
  fields: LIMITS,
  draftOf: (limits) =>
    Object.fromEntries(LIMITS.map(([key]) => [key, String(limits[key])])) as Record<Key, string>,
};

function readLimits(projectId: string, signal?: AbortSignal): Promise<ApiResponse<Quotas>> {
  const params = { path: { project_id: projectId } };
  const given = signal === undefined ? {} : { signal };
  return responseTo(api.GET('/v2/quotas/{project_id}', { params, ...given }));
}

/** The limits that the user changed. */
function changesIn(draft: Draft, limits: Quotas): Partial<Record<Key, number>> {
  const changed = LIMITS.filter(([key]) => draft[key] !== String(limits[key]));
  return Object.fromEntries(changed.map(([key]) => [key, numberIn(draft[key])]));
}

function LimitsForm({
  projectId,
  read,
  onChanged,
  onClose,
}: Opened & { readonly read: ApiResponse<Quotas> }) {
  const edit = useEdit(FORM, read, FORM.draftOf(read.data), () => readLimits(projectId));
  const { draft, base } = edit;
  const params = { path: { project_id: projectId } };
  const save = useAction(async () => {
    await edit.save(base, (etag, limits) => {
      const [body, headers] = [changesIn(draft, limits), { 'if-match': etag }];
      return dataOf(api.PATCH('/v2/quotas/{project_id}', { params, body, headers }));
    });
    onChanged(projectId);
  });
  const reset = useAction(async () => {
    await edit.save(base, (etag) =>
      dataOf(api.DELETE('/v2/quotas/{project_id}', { params, headers: { 'if-match': etag } })),
    );
    onChanged(projectId);
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        reset.forget();
        void save.run();
      }}
    >
      {LIMITS.map(([key, label]) => (
        <TextField
          key={key}
          label={label}
          value={draft[key]}
          onValue={(text) => edit.write({ ...draft, [key]: text })}
          fault={faultAt(save.problem, key)}
        />
      ))}
      <p class="note">-1 means unlimited. Lowering a limit deletes nothing.</p>
      <EditProblem edit={edit} problem={save.problem ?? reset.problem} />
      <div class="buttons">
        <button type="submit" class="primary" disabled={save.isRunning}>
          Save
        </button>
        <button
          type="button"
          onClick={() => {
            save.forget();
            void reset.run();
          }}
          disabled={reset.isRunning}
        >
          Reset to defaults
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** The form for all limits of a project. */
export function LimitsDialog(opened: Opened) {
  const { projectId, onClose } = opened;
  const limits = useFetched((signal) => readLimits(projectId, signal), [projectId]);
  const read = useFirst(limits.data);
  return (
    <Dialog
      title={
        <>
          Limits of <Text text={projectId} />
        </>
      }
      onClose={onClose}
    >
      <Waiting isSlow={limits.isSlow} />
      <ProblemNotice problem={read === undefined ? limits.problem : undefined} />
      {read !== undefined && <LimitsForm {...opened} read={read} />}
    </Dialog>
  );
}
