import { useRef, useState } from 'preact/hooks';
import { api, dataOf, keyring } from '../../api/client.ts';
import { useFetched } from '../../api/fetched.ts';
import { may, type Session } from '../../api/session.ts';
import type { Zone, ZoneShare } from '../../api/types.ts';
import { useAction } from '../../parts/action.tsx';
import { TextField } from '../../parts/field.tsx';
import { announce, faultAt, ProblemNotice } from '../../parts/notice.tsx';
import { Text } from '../../parts/text.tsx';
import { onBehalf } from './on-behalf.ts';

interface Props {
  readonly session: Session;
  readonly zone: Zone;
}

const FIELD = 'target_project_id';

function ShareForm({ session, zone, onShared }: Props & { onShared(): void }) {
  const [target, setTarget] = useState('');
  const keys = useRef(keyring());
  const share = useAction(async () => {
    const body = { target_project_id: target.trim() };
    const params = { path: { zone_id: zone.id } };
    const headers = { ...onBehalf(session), ...keys.current(body) };
    await dataOf(api.POST('/v2/zones/{zone_id}/shares', { params, body, headers }));
    announce(
      <>
        Shared with <Text text={body.target_project_id} />
      </>,
    );
    setTarget('');
    keys.current = keyring();
    onShared();
  });
  return (
    <form
      class="small-form"
      onSubmit={(event) => {
        event.preventDefault();
        void share.run();
      }}
    >
      <TextField
        label="Share with project"
        placeholder="Project ID"
        value={target}
        onValue={setTarget}
        fault={faultAt(share.problem, FIELD)}
      />
      <button type="submit" disabled={share.isRunning}>
        Share
      </button>
      <ProblemNotice problem={share.problem} besides={[FIELD]} />
    </form>
  );
}

/** The other projects that may have recordsets in a zone. */
export function ZoneSharesCard({ session, zone }: Props) {
  const path = { zone_id: zone.id };
  const headers = onBehalf(session);
  const shares = useFetched(
    (signal) => dataOf(api.GET('/v2/zones/{zone_id}/shares', { params: { path }, headers, signal })),
    [zone.id],
  );
  const unshare = useAction(async ({ id, target_project_id }: ZoneShare) => {
    const params = { path: { ...path, zone_share_id: id } };
    await dataOf(api.DELETE('/v2/zones/{zone_id}/shares/{zone_share_id}', { params, headers }));
    announce(
      <>
        Stopped sharing with <Text text={target_project_id} />
      </>,
    );
    shares.again();
  });
  const { data, problem } = shares;
  return (
    <section class="card">
      <h2>Shared with</h2>
      <ProblemNotice problem={problem ?? unshare.problem} />
      {data?.shared_zones.length === 0 && <p class="quiet">Not shared.</p>}
      <ul class="rows">
        {data?.shared_zones.map((share) => (
          <li key={share.id}>
            <Text text={share.target_project_id} />
            {may(session, 'unshare_zone') && (
              <button
                type="button"
                class="plain"
                disabled={unshare.isRunning}
                onClick={() => void unshare.run(share)}
              >
                Stop sharing
                <span class="unseen">
                  {' '}
                  with <Text text={share.target_project_id} />
                </span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {may(session, 'share_zone') && <ShareForm session={session} zone={zone} onShared={shares.again} />}
    </section>
  );
}
