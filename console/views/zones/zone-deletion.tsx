import { type ApiResponse, api, dataOf } from '../../api/client.ts';
import { may, type Session } from '../../api/session.ts';
import type { Zone } from '../../api/types.ts';
import { ConfirmDeletion } from '../../parts/confirm-deletion.tsx';
import { Facts } from '../../parts/facts.tsx';
import { announce } from '../../parts/notice.tsx';
import { counted, Text, Time, visible } from '../../parts/text.tsx';
import { onBehalf } from './on-behalf.ts';
import { readZone, ZONE_CONTENTS } from './one-zone.ts';

/** Maximum number of projects to show. */
const SHOWN = 10;
const ENDS_SHARES = { 'x-designate-delete-shares': 'true' };

/** The projects that a zone is shared with. */
interface Partners {
  /** The first SHOWN projects. */
  readonly projectIds: readonly string[];
  readonly total: number;
}

interface WholeZone extends Zone {
  /** Undefined if the zone is not shared, or the caller may not see its shares. */
  readonly partners?: Partners | undefined;
}

async function partnersOf(session: Session, id: string, signal?: AbortSignal): Promise<Partners> {
  const params = { path: { zone_id: id }, query: { limit: SHOWN } };
  const given = signal === undefined ? {} : { signal };
  const asked = api.GET('/v2/zones/{zone_id}/shares', { params, headers: onBehalf(session), ...given });
  const { shared_zones, metadata } = await dataOf(asked);
  const projectIds = shared_zones.map(({ target_project_id }) => target_project_id);
  return { projectIds, total: metadata.total_count ?? projectIds.length };
}

async function readWhole(
  session: Session,
  id: string,
  signal?: AbortSignal,
): Promise<ApiResponse<WholeZone>> {
  const { data, headers } = await readZone(session, id, signal);
  const isTold = data.shared && may(session, 'find_zone_shares');
  return { data: isTold ? { ...data, partners: await partnersOf(session, id, signal) } : data, headers };
}

async function removed(session: Session, { id, shared }: WholeZone, etag: string): Promise<void> {
  const headers = { ...onBehalf(session), ...(shared ? ENDS_SHARES : {}), 'if-match': etag };
  await dataOf(api.DELETE('/v2/zones/{zone_id}', { params: { path: { zone_id: id } }, headers }));
}

/** Warns that the recordsets of other projects are deleted with a shared zone. */
function Shares({ partners }: Pick<WholeZone, 'partners'>) {
  const { projectIds, total } = partners ?? { projectIds: [], total: 0 };
  return (
    <div class="notice warn">
      <p>
        The zone is shared with {total === 0 ? 'other projects' : 'the projects below'}. Their recordsets in
        it will be deleted, too.
      </p>
      <ul>
        {projectIds.map((projectId) => (
          <li key={projectId}>
            <Text text={projectId} />
          </li>
        ))}
      </ul>
      {total > projectIds.length && <p>and {counted(total - projectIds.length, 'more project')}.</p>}
    </div>
  );
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
    <ConfirmDeletion<WholeZone, void>
      title="Delete zone"
      seen={seen}
      fields={ZONE_CONTENTS}
      read={(signal) => readWhole(session, seen.id, signal)}
      verb={({ shared }) => (shared ? 'Stop sharing and delete' : 'Delete')}
      remove={(zone, etag) => removed(session, zone, etag)}
      onDeleted={() => {
        announce(
          <>
            Deleted <Text text={seen.name} />
          </>,
        );
        onDeleted();
      }}
      onClose={onClose}
    >
      {({ name, email, description, serial, project_id, created_at, updated_at, shared, partners }) => (
        <>
          <p>
            Delete <bdi class="name">{visible(name)}</bdi> and all its records? They will also disappear from
            the name servers.
          </p>
          <Facts
            facts={[
              ['Email', <Text text={email} />],
              ['Description', description ? <Text text={description} /> : <span class="quiet">none</span>],
              ['Serial', serial],
              ['Project', <Text text={project_id} />],
              ['Updated', <Time at={updated_at ?? created_at} />],
            ]}
          />
          {shared && <Shares partners={partners} />}
        </>
      )}
    </ConfirmDeletion>
  );
}
