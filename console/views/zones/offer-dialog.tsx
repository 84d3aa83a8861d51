import { useRef, useState } from 'preact/hooks';
import { api, dataOf, keyring } from '../../api/client.ts';
import type { Session } from '../../api/session.ts';
import type { Zone, ZoneTransferRequest } from '../../api/types.ts';
import { useAction } from '../../parts/action.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { faultAt, ProblemNotice } from '../../parts/notice.tsx';
import { visible } from '../../parts/text.tsx';
import { onBehalf } from './on-behalf.ts';

const FIELDS = ['target_project_id', 'description'];

function Offered({ offer, onClose }: { readonly offer: ZoneTransferRequest; onClose(): void }) {
  const { id, key = '' } = offer;
  return (
    <div class="made">
      <p>Anyone with this ID and key can take over the zone. The key will not be shown again.</p>
      <p>
        ID <code class="secret">{id}</code>
      </p>
      <p>
        Key <code class="secret">{visible(key)}</code>
      </p>
      <div class="buttons">
        <CopyButton text={id} what="ID" />
        <CopyButton text={key} what="key" />
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}

/** Offers a zone to another project. */
export function OfferDialog({
  session,
  zone,
  onClose,
}: {
  readonly session: Session;
  readonly zone: Zone;
  onClose(): void;
}) {
  const [target, setTarget] = useState('');
  const [description, setDescription] = useState('');
  const [offer, setOffer] = useState<ZoneTransferRequest>();
  const keys = useRef(keyring());
  const make = useAction(async () => {
    const body = { target_project_id: target.trim() || null, description: description || null };
    const headers = { ...onBehalf(session), ...keys.current(body) };
    const params = { path: { zone_id: zone.id } };
    setOffer(
      await dataOf(api.POST('/v2/zones/{zone_id}/tasks/transfer_requests', { params, body, headers })),
    );
  });
  return (
    <Dialog title="Offer zone" atStake={offer === undefined ? 'input' : 'secret'} onClose={onClose}>
      {offer !== undefined && <Offered offer={offer} onClose={onClose} />}
      {offer === undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void make.run();
          }}
        >
          <TextField
            label="Target project"
            placeholder="Project ID"
            note="Leave empty to let anyone with the key accept it."
            value={target}
            onValue={setTarget}
            fault={faultAt(make.problem, 'target_project_id')}
          />
          <TextField
            label="Description"
            value={description}
            onValue={setDescription}
            fault={faultAt(make.problem, 'description')}
          />
          <ProblemNotice problem={make.problem} besides={FIELDS} />
          <div class="buttons">
            <button type="submit" class="primary" disabled={make.isRunning}>
              Offer zone
            </button>
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
