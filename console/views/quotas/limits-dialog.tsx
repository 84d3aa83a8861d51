import { useState } from 'preact/hooks';
import { useAsked } from '../../api/asked.ts';
import { answerTo, api, told } from '../../api/client.ts';
import { useAction } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { faultAt, ProblemNotice } from '../../parts/notice.tsx';
import { Text } from '../../parts/told.tsx';
import { numberIn } from '../../parts/typed.ts';
import { Waiting } from '../../parts/waiting.tsx';
import { type Key, LIMITS } from './limits.ts';

const KEYS = LIMITS.map(([key]) => key);

/** All limits of a project, to be changed at once. */
export function LimitsDialog({
  projectId,
  onChanged,
  onClose,
}: {
  readonly projectId: string;
  onChanged(projectId: string): void;
  onClose(): void;
}) {
  const path = { project_id: projectId };
  const limits = useAsked(
    (signal) => answerTo(api.GET('/v2/quotas/{project_id}', { params: { path }, signal })),
    [projectId],
  );
  const [typed, setTyped] = useState<Readonly<Partial<Record<Key, string>>>>({});
  const present = limits.data?.data;
  const ifMatch = { 'if-match': limits.data?.headers.get('etag') ?? '*' };
  const save = useAction(async () => {
    const changed = KEYS.filter((key) => typed[key] !== undefined && typed[key] !== String(present?.[key]));
    const body = Object.fromEntries(changed.map((key) => [key, numberIn(typed[key] ?? '')]));
    await told(api.PATCH('/v2/quotas/{project_id}', { params: { path }, body, headers: ifMatch }));
    onChanged(projectId);
  });
  const reset = useAction(async () => {
    await told(api.DELETE('/v2/quotas/{project_id}', { params: { path }, headers: ifMatch }));
    onChanged(projectId);
  });
  return (
    <Dialog
      title={
        <>
          Limits of <Text text={projectId} />
        </>
      }
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <Waiting isSlow={limits.isSlow} />
        <ProblemNotice problem={limits.problem} />
        {present !== undefined &&
          LIMITS.map(([key, label]) => (
            <TextField
              key={key}
              label={label}
              value={typed[key] ?? String(present[key])}
              onValue={(text) => setTyped({ ...typed, [key]: text })}
              fault={faultAt(save.problem, key)}
            />
          ))}
        <p class="note">-1 is any number. Only growth is refused: nothing that is there goes.</p>
        <ProblemNotice problem={save.problem ?? reset.problem} besides={KEYS} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={save.isRunning || present === undefined}>
            Save
          </button>
          <button type="button" onClick={() => void reset.run()} disabled={reset.isRunning}>
            Back to the defaults
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
