import { useState } from 'preact/hooks';
import { api, dataOf } from '../../api/client.ts';
import { patiently } from '../../api/connection.ts';
import type { BlacklistImport } from '../../api/types.ts';
import { upload } from '../../api/upload.ts';
import { useAction } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { CheckField, ChoiceField, TextField } from '../../parts/field.tsx';
import { FileField } from '../../parts/file-field.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { ImportOutcome } from './import-outcome.tsx';

/** Poll interval for an import, in milliseconds. */
const POLL = 300;

const FORMATS = [
  ['patterns', 'Patterns, one per line'],
  ['exact', 'Names, exact matches only'],
  ['subtree', 'Names and everything below them'],
  ['psl', 'Public Suffix List'],
  ['jsonl', 'JSON, one entry per line'],
] as const;
const MODES = [
  ['enforce', 'Enforce'],
  ['warn', 'Warn'],
  ['audit', 'Audit'],
] as const;

interface Draft {
  readonly format: (typeof FORMATS)[number][0];
  readonly mode: (typeof MODES)[number][0];
  readonly list: string;
  readonly sync: boolean;
  readonly dryRun: boolean;
  readonly force: boolean;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const said = (isSo: boolean): string | undefined => (isSo ? 'true' : undefined);

/** Polls a task until it ends. */
export async function whenOver(
  task: BlacklistImport,
  show: (task: BlacklistImport) => void,
): Promise<BlacklistImport> {
  let present = task;
  while (present.status === 'ACTIVE') {
    show(present);
    await pause(POLL);
    const params = { path: { import_id: task.id } };
    present = await patiently(() => dataOf(api.GET('/v2/blacklists/imports/{import_id}', { params })));
  }
  show(present);
  return present;
}

function Choices({ draft, onDraft }: { readonly draft: Draft; onDraft(draft: Draft): void }) {
  const set =
    <K extends keyof Draft>(key: K) =>
    (value: Draft[K]) =>
      onDraft({ ...draft, [key]: value });
  return (
    <>
      <ChoiceField label="File format" choices={FORMATS} value={draft.format} onValue={set('format')} />
      <div class="side-by-side">
        <ChoiceField label="Mode" choices={MODES} value={draft.mode} onValue={set('mode')} />
        <TextField label="List" placeholder="none" value={draft.list} onValue={set('list')} />
      </div>
      <CheckField label="Dry run (no changes)" isOn={draft.dryRun} onChange={set('dryRun')} />
      <CheckField label="Remove entries that are not in the file" isOn={draft.sync} onChange={set('sync')} />
      <CheckField
        label="Allow patterns that match nearly everything"
        isOn={draft.force}
        onChange={set('force')}
      />
    </>
  );
}

/** Imports a file of entries, and shows the result. */
export function ImportDialog({ onImported, onClose }: { onImported(): void; onClose(): void }) {
  const [file, setFile] = useState<File>();
  const [part, setPart] = useState(0);
  const [task, setTask] = useState<BlacklistImport>();
  const [draft, setDraft] = useState<Draft>({
    format: 'patterns',
    mode: 'enforce',
    list: '',
    sync: false,
    dryRun: false,
    force: false,
  });
  const run = useAction(async () => {
    if (file === undefined) return;
    setTask(undefined);
    setPart(0);
    const { format, mode, list, sync, dryRun, force } = draft;
    const query = { format, mode, list, sync: said(sync), dry_run: said(dryRun), force: said(force) };
    const begun = await upload<BlacklistImport>(
      '/v2/blacklists/import',
      query,
      { file, type: 'text/plain' },
      setPart,
    );
    await whenOver(begun, setTask);
    onImported();
  });
  return (
    <Dialog title="Import entries" atStake={task === undefined ? 'input' : 'nothing'} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run.run();
        }}
      >
        <FileField label="File" file={file} onFile={setFile} />
        <Choices draft={draft} onDraft={setDraft} />
        {run.isRunning && task === undefined && (
          <progress class="bar" max={1} value={part} aria-label="Upload progress" />
        )}
        <ProblemNotice problem={run.problem} />
        {task !== undefined && <ImportOutcome task={task} />}
        <div class="buttons">
          <button type="submit" class="primary" disabled={run.isRunning || file === undefined}>
            {draft.dryRun ? 'Dry run' : 'Import'}
          </button>
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </form>
    </Dialog>
  );
}
