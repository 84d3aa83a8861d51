import { randomUUID } from 'node:crypto';
import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Target } from '../../model/event-types/event.ts';
import type { Page } from '../../model/lists.ts';
import { MAX_SHARES, type Share, type ShareDraft, type ShareQuery } from '../../model/shares/share.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { type ProjectDirectory, requireKnownProject } from '../quotas/project-directory.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { getZone, lockZone } from '../zones/visible-zone.ts';

export interface ShareDeps extends UseCaseDeps {
  /** If set, zones can only be shared with projects it knows. */
  readonly projects?: ProjectDirectory | undefined;
}

const GIVEN = `The zone is shared with ${MAX_SHARES} projects, and cannot be shared with more.`;
const RECEIVED = `The project has ${MAX_SHARES} zones of other projects shared with it, and can have no more.`;

function targetOf({ id, projectId }: Share): Target {
  return { kind: 'share', id, projectId };
}

function requireFound(share: Share | undefined): Share {
  if (share === undefined) throw new DomainError('shared_zone_not_found');
  return share;
}

/** @throws DomainError `over_quota` */
export async function requireFewShares(
  tx: Transaction,
  zoneId: string,
  targetProjectId: string,
): Promise<void> {
  const { given, received } = await tx.shares.counts(zoneId, targetProjectId);
  if (given >= MAX_SHARES) throw new DomainError('over_quota', GIVEN);
  if (received >= MAX_SHARES) throw new DomainError('over_quota', RECEIVED);
}

/** The use cases of zone shares. Each change locks the zone, like every write to it. */
export function shareUseCases({ store, clock, access, unitOfWork, projects }: ShareDeps) {
  function newShare(zone: Zone, { targetProjectId, scope }: ShareDraft): Share {
    const { id: zoneId, projectId } = zone;
    const createdAt = clock.now();
    return {
      id: randomUUID(),
      zoneId,
      projectId,
      targetProjectId,
      recordsets: 0,
      createdAt,
      updatedAt: null,
      scope,
    };
  }

  return {
    /**
     * Shares a zone with another project, or the part of it that the scope allows.
     * @throws DomainError `shared_with_owner`, `duplicate_shared_zone`, `over_quota`, `unknown_project`
     */
    create(
      context: RequestContext,
      zoneId: string,
      draft: ShareDraft,
      options: CreateOptions<Share> = {},
    ): Promise<Share> {
      const { targetProjectId } = draft;
      return unitOfWork.attempt(context, { kind: 'zone', id: zoneId }, async () => {
        if (projects !== undefined) {
          await getZone(store, access, context, 'share_zone', zoneId);
          await requireKnownProject(projects, targetProjectId);
        }
        return unitOfWork.commit(
          context,
          async (tx, emit) => {
            const zone = await lockZone(tx, access, context, 'share_zone', zoneId);
            if (zone.projectId === targetProjectId) throw new DomainError('shared_with_owner');
            const share = newShare(zone, draft);
            await requireFewShares(tx, zone.id, targetProjectId);
            if (!(await tx.shares.insert(share))) throw new DomainError('duplicate_shared_zone');
            emit({ type: 'share.created', target: targetOf(share), after: share });
            return share;
          },
          options,
        );
      });
    },

    async get(context: RequestContext, zoneId: string, id: string): Promise<Share> {
      const share = requireFound(await store.shares.find(id, { zoneId, scope: context.scope }));
      access.require(context, 'get_zone_share', { projectId: share.projectId });
      return share;
    },

    /** The shares of a zone: all for its owner; only its own for a project that the zone is shared with. */
    async list(context: RequestContext, zoneId: string, query: ShareQuery): Promise<Page<Share>> {
      await getZone(store, access, context, 'find_zone_shares', zoneId);
      access.require(context, 'find_project_zone_share', { projectId: context.projectId });
      return store.shares.list(query, { zoneId, scope: context.scope }, context.caller.projectId);
    },

    /**
     * Ends a share.
     * @throws DomainError `shared_zone_has_recordsets` while the other project has recordsets in the zone
     */
    async remove(context: RequestContext, zoneId: string, id: string): Promise<void> {
      await unitOfWork.change(context, { kind: 'zone', id: zoneId }, async (tx, emit) => {
        const zone = await tx.zones.lock(zoneId, context.scope);
        const share = requireFound(zone && (await tx.shares.find(id, { zoneId, scope: context.scope })));
        access.require(context, 'unshare_zone', { projectId: share.projectId });
        if (share.recordsets > 0) throw new DomainError('shared_zone_has_recordsets');
        tx.shares.remove(share.id);
        emit({ type: 'share.deleted', target: targetOf(share), before: share });
      });
    },
  };
}

export type ShareUseCases = ReturnType<typeof shareUseCases>;
