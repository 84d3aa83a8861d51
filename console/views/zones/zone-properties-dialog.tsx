import { type ApiResponse, api, dataOf } from '../../api/client.ts';
import { may, type Session } from '../../api/session.ts';
import type { Zone } from '../../api/types.ts';
import { useAction } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { type Form, useEdit } from '../../parts/edit.ts';
import { EditProblem } from '../../parts/edit-problem.tsx';
import { TextField } from '../../parts/field.tsx';
import { faultAt } from '../../parts/notice.tsx';
import { numberIn } from '../../parts/typed.ts';
import { onBehalf } from './on-behalf.ts';
import { readZone } from './one-zone.ts';
import { timerFaults, timersIn, timersText } from './soa-timers.ts';

interface Draft {
  readonly email: string;
  readonly ttl: string;
  /** As in a zone file; empty for the service's defaults. */
  readonly soa: string;
  readonly description: string;
}

const SOA_LABEL = 'SOA refresh, retry, expire and minimum (seconds)';

const FORM: Form<Zone, Draft> = {
  fields: [
    ['email', 'Email'],
    ['ttl', 'TTL (seconds)'],
    ['soa', SOA_LABEL],
    ['description', 'Description'],
  ],
  draftOf: ({ email, ttl, soa, description }) => ({
    email,
    ttl: String(ttl),
    soa: timersText(soa),
    description: description ?? '',
  }),
};

/** The form for a zone's properties; it saves only if nobody else has changed the zone since it was read. */
export function ZonePropertiesDialog({
  session,
  read,
  onChanged,
  onClose,
}: {
  readonly session: Session;
  readonly read: ApiResponse<Zone>;
  onChanged(): void;
  onClose(): void;
}) {
  const edit = useEdit(FORM, read, FORM.draftOf(read.data), ({ id }) => readZone(session, id));
  const { draft } = edit;
  const hasTimers = read.data.type === 'PRIMARY' && may(session, 'update_zone_soa');
  const save = useAction(async () => {
    const body = {
      email: draft.email.trim(),
      ttl: numberIn(draft.ttl),
      ...(hasTimers ? { soa: timersIn(draft.soa) } : {}),
      description: draft.description === '' ? null : draft.description,
    };
    await edit.save(edit.base, (etag, { id }) => {
      const headers = { ...onBehalf(session), 'if-match': etag };
      return dataOf(api.PATCH('/v2/zones/{zone_id}', { params: { path: { zone_id: id } }, body, headers }));
    });
    onChanged();
  });
  const field = (key: keyof Draft) => ({
    value: draft[key],
    onValue: (value: string) => edit.write({ ...draft, [key]: value }),
    fault: faultAt(save.problem, key),
  });
  return (
    <Dialog title="Edit zone" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <TextField label="Email" {...field('email')} />
        <TextField label="TTL (seconds)" note="Used by recordsets without their own TTL." {...field('ttl')} />
        {hasTimers && (
          <TextField
            label={SOA_LABEL}
            note="Four numbers, as in a zone file. Leave empty for the defaults."
            {...field('soa')}
            fault={timerFaults(save.problem)}
          />
        )}
        <TextField label="Description" {...field('description')} />
        <EditProblem edit={edit} problem={save.problem} />
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
