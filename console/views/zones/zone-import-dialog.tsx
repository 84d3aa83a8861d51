import { useState } from 'preact/hooks';
import type { ZoneImport } from '../../api/types.ts';
import { upload } from '../../api/upload.ts';
import { useAction } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FileField } from '../../parts/file-field.tsx';
import { announce, ProblemNotice } from '../../parts/notice.tsx';
import { goTo, hrefOf } from '../../place.ts';

/** Imports a zone file, and shows the new zone, or the line of each fault. */
export function ZoneImportDialog({ onClose }: { onClose(): void }) {
  const [file, setFile] = useState<File>();
  const [part, setPart] = useState(0);
  const run = useAction(async () => {
    if (file === undefined) return;
    setPart(0);
    const sent = { file, type: 'text/dns' as const };
    const { zone_id } = await upload<ZoneImport>('/v2/zones/tasks/imports', {}, sent, setPart);
    announce('Zone imported.');
    goTo(hrefOf(`zones/${zone_id}`));
  });
  return (
    <Dialog title="Import zone file" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run.run();
        }}
      >
        <FileField
          label="Zone file"
          file={file}
          onFile={(chosen) => {
            setFile(chosen);
            run.forget();
          }}
        />
        <p class="note">
          The zone gets the name of its SOA record. If any line is invalid, nothing is imported.
        </p>
        {run.isRunning && <progress class="bar" max={1} value={part} aria-label="Upload progress" />}
        <ProblemNotice problem={run.problem} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={run.isRunning || file === undefined}>
            Import zone
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
