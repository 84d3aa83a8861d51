import { useState } from 'preact/hooks';
import { asRead } from '../../api/as-read.ts';
import { type Answered, api, told } from '../../api/client.ts';
import type { Zone } from '../../api/types.ts';
import { useAction } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { faultAt, ProblemNotice } from '../../parts/notice.tsx';
import { numberIn } from '../../parts/typed.ts';
import type { Session } from '../../session.ts';
import { onBehalf } from './on-behalf.ts';
import { readZone } from './one-zone.ts';

const FIELDS = ['email', 'ttl', 'description'] as const;

/** What a person may change of a zone, as long as nobody else has changed it since it was read. */
export function ZonePropertiesDialog({
  session,
  read,
  onChanged,
  onClose,
}: {
  readonly session: Session;
  readonly read: Answered<Zone>;
  onChanged(): void;
  onClose(): void;
}) {
  // As it was when the window was opened: what is under way changes it behind the window.
  const [first] = useState(read);
  const zone = first.data;
  const [draft, setDraft] = useState({
    email: zone.email,
    ttl: String(zone.ttl),
    description: zone.description ?? '',
  });
  const save = useAction(async () => {
    const params = { path: { zone_id: zone.id } };
    const body = {
      email: draft.email.trim(),
      ttl: numberIn(draft.ttl),
      description: draft.description === '' ? null : draft.description,
    };
    await asRead(
      first,
      FIELDS,
      () => readZone(session, zone.id),
      (etag) => {
        const headers = { ...onBehalf(session), 'if-match': etag };
        return told(api.PATCH('/v2/zones/{zone_id}', { params, body, headers }));
      },
    );
    onChanged();
  });
  const field = (key: keyof typeof draft) => ({
    value: draft[key],
    onValue: (value: string) => setDraft({ ...draft, [key]: value }),
    fault: faultAt(save.problem, key),
  });
  return (
    <Dialog title="Change the zone" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <TextField label="Email" {...field('email')} />
        <TextField
          label="TTL (seconds)"
          note="Of each recordset that has none of its own."
          {...field('ttl')}
        />
        <TextField label="Description" {...field('description')} />
        <ProblemNotice problem={save.problem} besides={FIELDS} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={save.isRunning}>
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
