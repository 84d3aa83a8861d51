import { useRef, useState } from 'preact/hooks';
import { api, dataOf, keyring } from '../../api/client.ts';
import { useAction } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { announce, faultAt, ProblemNotice } from '../../parts/notice.tsx';
import { goTo, hrefOf } from '../../place.ts';

const FIELDS = ['zone_transfer_request_id', 'key'];

/** Accepts a zone that another project offers. */
export function AcceptDialog({ onClose }: { onClose(): void }) {
  const [id, setId] = useState('');
  const [key, setKey] = useState('');
  const keys = useRef(keyring());
  const accept = useAction(async () => {
    const body = { zone_transfer_request_id: id.trim(), key: key.trim() };
    const headers = keys.current(body);
    const { zone_id } = await dataOf(api.POST('/v2/zones/tasks/transfer_accepts', { body, headers }));
    announce('Your project now owns the zone.');
    goTo(hrefOf(`zones/${zone_id}`));
  });
  return (
    <Dialog title="Accept zone" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void accept.run();
        }}
      >
        <TextField
          label="Offer ID"
          value={id}
          onValue={setId}
          fault={faultAt(accept.problem, 'zone_transfer_request_id')}
        />
        <TextField label="Key" value={key} onValue={setKey} fault={faultAt(accept.problem, 'key')} />
        <ProblemNotice problem={accept.problem} besides={FIELDS} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={accept.isRunning}>
            Accept zone
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
