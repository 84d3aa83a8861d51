import { api, told } from '../../api/client.ts';
import type { Zone } from '../../api/types.ts';
import { ConfirmDeletion } from '../../parts/confirm-deletion.tsx';
import { Facts } from '../../parts/facts.tsx';
import { announce } from '../../parts/notice.tsx';
import { Text, Time, visible } from '../../parts/told.tsx';
import type { Session } from '../../session.ts';
import { onBehalf } from './on-behalf.ts';
import { readZone, ZONE_CONTENTS } from './one-zone.ts';

async function removed(session: Session, { id }: Zone, etag: string): Promise<void> {
  const headers = { ...onBehalf(session), 'if-match': etag };
  await told(api.DELETE('/v2/zones/{zone_id}', { params: { path: { zone_id: id } }, headers }));
}

/** Asks before a zone is deleted. */
export function ZoneDeletion({
  session,
  seen,
  onDeleted,
  onClose,
}: {
  readonly session: Session;
  readonly seen: Zone;
  onDeleted(): void;
  onClose(): void;
}) {
  return (
    <ConfirmDeletion
      title="Delete the zone"
      seen={seen}
      fields={ZONE_CONTENTS}
      read={(signal) => readZone(session, seen.id, signal)}
      remove={(zone, etag) => removed(session, zone, etag)}
      onDeleted={() => {
        announce(
          <>
            <Text text={seen.name} /> is deleted.
          </>,
        );
        onDeleted();
      }}
      onClose={onClose}
    >
      {({ name, email, description, serial, project_id, created_at, updated_at }) => (
        <>
          <p>
            All records of <bdi class="name">{visible(name)}</bdi> go with it, here and on the name servers.
          </p>
          <Facts
            facts={[
              ['Email', <Text text={email} />],
              ['Description', description ? <Text text={description} /> : <span class="quiet">none</span>],
              ['Serial', serial],
              ['Project', <Text text={project_id} />],
              ['Changed', <Time at={updated_at ?? created_at} />],
            ]}
          />
        </>
      )}
    </ConfirmDeletion>
  );
}
