/** Deleted zones: lists them, restores them, and forgets them. */
import type { AddressRule } from '../../addresses/address-rule.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import { later } from '../../model/clock.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type {
  DeletedZone,
  DeletedZoneQuery,
  KeptDeletedZone,
} from '../../model/deleted-zones/deleted-zone.ts';
import { DomainError } from '../../model/errors.ts';
import type { Page } from '../../model/lists.ts';
import { requireMasters } from '../../model/secondaries/master-address.ts';
import type { ZoneDraft } from '../../model/zones/zone.ts';
import type { ManyNamesDeps } from '../blacklists/many-names.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import type { CreatedZone, InitialContents } from '../zones/zone-create-request.ts';
import type { ZoneCreation } from '../zones/zone-creation.ts';
import { namesAdmission, type Restoration, restoredContents } from './restored-contents.ts';

const DAY_MS = 86_400_000;

export interface DeletedZoneDeps extends UseCaseDeps {
  readonly createZone: ZoneCreation;
  /** Set if the blacklists also apply to the names of records. */
  readonly ownerNames: ManyNamesDeps | undefined;
  /** Returns why packets must not be sent to an address; undefined if they may. */
  readonly maySendTo: AddressRule;
  /** How long deleted zones are kept, in days; 0 for not at all. */
  readonly deletedZoneDays: number;
}

/** A deleted zone, and when it will be forgotten. */
export interface ListedDeletedZone extends DeletedZone {
  readonly forgottenAt: string;
}

function draftOf({ name, type, former }: KeptDeletedZone): ZoneDraft {
  const { email, ttl, soa, description, attributes, masters } = former;
  const draft = { name, email, ttl, soa, description, attributes };
  return type === 'SECONDARY' ? { ...draft, masters } : draft;
}

/** The use cases of deleted zones. */
export function deletedZoneUseCases(deps: DeletedZoneDeps) {
  const { store, clock, access, unitOfWork, createZone, maySendTo, deletedZoneDays } = deps;

  const listed = (zone: DeletedZone): ListedDeletedZone => ({
    ...zone,
    forgottenAt: later(zone.deletedAt, deletedZoneDays * DAY_MS),
  });

  /** @throws DomainError `zone_not_found` or `access_denied` */
  function requireSeen(
    context: RequestContext,
    rule: RuleName,
    zone: KeptDeletedZone | undefined,
  ): KeptDeletedZone {
    if (zone === undefined) throw new DomainError('zone_not_found');
    access.require(context, rule, { projectId: zone.projectId });
    return zone;
  }

  async function fillingOf(restoration: Restoration): Promise<InitialContents> {
    const { kept } = restoration;
    const contents = await restoredContents(store.deletedZones, restoration);
    return {
      serial: kept.serial,
      restored: { kept, expired: contents.expired },
      ...namesAdmission(deps, restoration),
      contents: (zone, tx) => contents.of(zone, tx.deletedZones),
      async require(tx) {
        const present = await tx.deletedZones.lock(kept.id, 'all projects');
        if (present?.contentsId !== kept.contentsId) throw new DomainError('zone_not_found');
      },
      also: (tx) => tx.deletedZones.remove(kept),
    };
  }

  return {
    async list(context: RequestContext, query: DeletedZoneQuery): Promise<Page<ListedDeletedZone>> {
      access.require(context, 'find_deleted_zones', { projectId: context.projectId });
      const page = await store.deletedZones.list(query, context.scope, context.caller.projectId);
      return { ...page, items: page.items.map(listed) };
    },

    /**
     * Creates a deleted zone again, with its id and contents, by every rule of a create. It belongs to the project that
     * it belonged to, and so do its recordsets: its shares are gone.
     */
    async restore(
      context: RequestContext,
      id: string,
      options: CreateOptions<CreatedZone> = {},
    ): Promise<CreatedZone> {
      const found = await store.deletedZones.find(id, context.scope);
      const kept = requireSeen(context, 'restore_deleted_zone', found);
      if (kept.type === 'SECONDARY') requireMasters(kept.former.masters, maySendTo);
      const filling = await fillingOf({ kept, at: clock.now() });
      return createZone({ ...context, projectId: kept.projectId }, draftOf(kept), filling, options);
    },

    /** Removes a deleted zone for good, with its history. */
    forget(context: RequestContext, id: string): Promise<void> {
      return unitOfWork.change(context, { kind: 'zone', id }, async (tx, emit) => {
        // Zones come first in the order of locks: its name servers may still have to drop it.
        await tx.zones.lock(id, 'all projects');
        const kept = requireSeen(
          context,
          'forget_deleted_zone',
          await tx.deletedZones.lock(id, context.scope),
        );
        tx.deletedZones.forget(kept);
        const { name, projectId } = kept;
        emit({ type: 'zone.forgotten', target: { kind: 'zone', id, name, projectId }, before: kept });
      });
    },
  };
}

export type DeletedZoneUseCases = ReturnType<typeof deletedZoneUseCases>;
