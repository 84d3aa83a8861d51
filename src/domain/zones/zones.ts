import { isDeepStrictEqual } from 'node:util';
import type { AddressRule } from '../../addresses/address-rule.ts';
import { NO_CONTENTS } from '../../model/changes/contents.ts';
import {
  type ConditionalOptions,
  type CreateOptions,
  requirePrecondition,
} from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, type Fault, invalidObject } from '../../model/errors.ts';
import type { Page } from '../../model/lists.ts';
import { requireMasters } from '../../model/secondaries/master-address.ts';
import type { Transaction } from '../../model/store.ts';
import type { TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import { timerFaults } from '../../model/zones/soa-timers.ts';
import {
  mayHaveOrders,
  type RequestedProperties,
  type RequestedZone,
  type Zone,
  type ZoneProperties,
  type ZoneQuery,
} from '../../model/zones/zone.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import { zoneTarget } from '../events/zone-target.ts';
import {
  requestedProtection,
  requireNothingProtected,
  requireUnprotectedZone,
} from '../protection/protection.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { type ApexSettings, timersOf } from './apex.ts';
import { changedBy } from './change-source.ts';
import { newZoneTarget } from './creation-rules.ts';
import { getZone, lockAnyZone, lockZone, policyTarget } from './visible-zone.ts';
import type { ZoneChanges } from './zone-changes.ts';
import type { CreatedZone } from './zone-create-request.ts';
import type { ZoneCreation } from './zone-creation.ts';
import { endKeys } from './zone-keys.ts';

const OF_THE_MASTER = "A secondary zone takes this from its master's SOA. Omit it.";

export interface ZoneDeps extends UseCaseDeps {
  readonly changes: ZoneChanges;
  readonly createZone: ZoneCreation;
  readonly apex: ApexSettings;
  /** Returns why packets must not be sent to an address; undefined if they may. */
  readonly maySendTo: AddressRule;
}

/** Why a property is not allowed for the zone's type. Its current value always is. */
function faultOf(zone: Zone, { email, ttl, soa, masters }: ZoneProperties): Fault | undefined {
  if (zone.type === 'PRIMARY')
    return masters?.length ? { path: ['masters'], message: 'A primary zone has no masters.' } : undefined;
  if ((email ?? zone.email) !== zone.email) return { path: ['email'], message: OF_THE_MASTER };
  if ((ttl ?? zone.ttl) !== zone.ttl) return { path: ['ttl'], message: OF_THE_MASTER };
  if (soa) return { path: ['soa'], message: OF_THE_MASTER };
  return masters?.length === 0 ? { path: ['masters'], message: 'List at least 1.' } : undefined;
}

/** @throws DomainError `invalid_object` */
function requireOfType(zone: Zone, properties: ZoneProperties): void {
  const fault = faultOf(zone, properties);
  if (fault !== undefined) throw invalidObject([fault]);
}

/**
 * Rejects a change that takes the protection off together with anything else.
 * @throws DomainError `protected`
 */
function requireProtectionKept(zone: Zone, { protection, ...others }: ZoneProperties): void {
  if (zone.protection === null || protection !== null) return;
  if (!isDeepStrictEqual({ ...zone, ...others }, zone)) requireUnprotectedZone(zone);
}

/** The zone's timers after the requested changes; omitted timers keep their values. */
function mergedTimers(zone: Zone, asked: RequestedProperties['soa'], apex: ApexSettings): Zone['soa'] {
  if (asked === null) return null;
  if (asked === undefined || Object.keys(asked).length === 0) return zone.soa;
  return { ...timersOf(zone, apex), ...asked };
}

/** Options of a deletion. */
export interface Deletion extends ConditionalOptions {
  /** True to delete its shares, too; otherwise a shared zone is not deleted. */
  readonly endsShares: boolean;
  /** True to delete the zone without waiting for its name servers. */
  readonly isHard?: boolean;
}

/** The TSIG keys that end with a zone, locked, once it is known that the zone may be deleted. */
async function lockDeletable(tx: Transaction, zone: Zone, endsShares: boolean): Promise<readonly TsigKey[]> {
  const { id, name } = zone;
  const [keys, , isShared, hasChildren] = await pipelined(
    tx.tsigKeys.lockOfZone(id),
    requireNothingProtected(tx, zone),
    tx.shares.isShared(id),
    tx.zones.hasChildren(name),
  );
  if (isShared && !endsShares) throw new DomainError('zone_is_shared');
  if (hasChildren) throw new DomainError('zone_has_sub_zone');
  return keys;
}

/** The use cases of zones. */
export function zoneUseCases({ store, access, unitOfWork, changes, createZone, apex, maySendTo }: ZoneDeps) {
  /** @throws DomainError `access_denied` or `invalid_object` */
  function requireProperties(
    context: RequestContext,
    zone: Zone,
    asked: RequestedProperties,
  ): ZoneProperties {
    const soa = mergedTimers(zone, asked.soa, apex);
    const target = policyTarget(context, zone);
    const protection = requestedProtection(access, context, target, zone.protection, asked.protection);
    const properties = { ...asked, soa, protection };
    requireOfType(zone, properties);
    requireMasters(asked.masters, maySendTo, zone.masters);
    if (isDeepStrictEqual(soa, zone.soa)) return properties;
    access.require(context, 'update_zone_soa', target);
    const faults = soa === null ? [] : timerFaults(soa);
    if (faults.length > 0) throw invalidObject(faults);
    return properties;
  }

  /** True if name servers may have the zone: its name stays taken until they have dropped it. */
  async function mustWait(tx: Transaction, zone: Zone): Promise<boolean> {
    return mayHaveOrders(zone) && !(await tx.publications.forgetUnseen(zone.id));
  }

  return {
    async create(
      context: RequestContext,
      asked: RequestedZone,
      options: CreateOptions<CreatedZone> = {},
    ): Promise<CreatedZone> {
      const target = newZoneTarget(context, asked);
      access.require(context, 'create_zone', target);
      const protection = requestedProtection(access, context, target, null, asked.protection);
      requireMasters(asked.masters, maySendTo);
      if (asked.attributes?.pool_id !== undefined) access.require(context, 'zone_create_forced_pool', target);
      return createZone(context, { ...asked, protection }, undefined, options);
    },

    async get(context: RequestContext, id: string, options: ConditionalOptions = {}): Promise<Zone> {
      const zone = await getZone(store, access, context, 'get_zone', id);
      requirePrecondition(options, zone);
      return zone;
    },

    async list(context: RequestContext, query: ZoneQuery): Promise<Page<Zone>> {
      access.require(context, 'find_zones', { projectId: context.projectId });
      return store.zones.list(query, context.scope, context.caller.projectId);
    },

    update(
      context: RequestContext,
      id: string,
      asked: RequestedProperties,
      options: ConditionalOptions = {},
    ): Promise<Zone> {
      return unitOfWork.change(context, { kind: 'zone', id }, async (tx, emit) => {
        const zone = await lockZone(tx, access, context, 'update_zone', id, options);
        const properties = requireProperties(context, zone, asked);
        requireProtectionKept(zone, properties);
        const by = changedBy(context);
        const change = { kind: 'update', zone, properties, contents: NO_CONTENTS, by } as const;
        const applied = await changes.apply(tx, change);
        emit({ type: 'zone.changed', target: zoneTarget(zone), ...applied });
        return applied.after;
      });
    },

    /**
     * Deletes a zone with its contents and TSIG keys, and returns its last state. It can be restored for a while. If name servers may have the zone, its name stays
     * taken until they have dropped it.
     */
    remove(
      context: RequestContext,
      id: string,
      { endsShares, isHard = false, precondition }: Deletion,
    ): Promise<Zone> {
      return unitOfWork.change(context, { kind: 'zone', id }, async (tx, emit) => {
        const zone = await lockAnyZone(tx, access, context, 'delete_zone', id, { precondition });
        if (isHard) access.require(context, 'hard_delete', policyTarget(context, zone));
        else if (zone.action === 'DELETE') return zone;
        const keys = await lockDeletable(tx, zone, endsShares);
        const waits = !isHard && (await mustWait(tx, zone));
        const applied = await changes.apply(tx, { kind: 'deletion', zone, waits });
        emit({ type: 'zone.deleted', target: zoneTarget(zone), ...applied });
        endKeys(tx, keys, emit);
        return zone;
      });
    },

    /** Deletes a zone with its contents and TSIG keys here, but leaves its copies on the name servers untouched. */
    abandon(
      context: RequestContext,
      id: string,
      { endsShares }: Pick<Deletion, 'endsShares'>,
    ): Promise<void> {
      return unitOfWork.change(context, { kind: 'zone', id }, async (tx, emit) => {
        const zone = await lockAnyZone(tx, access, context, 'abandon_zone', id);
        const keys = await lockDeletable(tx, zone, endsShares);
        const applied = await changes.apply(tx, { kind: 'abandonment', zone });
        emit({ type: 'zone.abandoned', target: zoneTarget(zone), ...applied });
        endKeys(tx, keys, emit);
      });
    },
  };
}

export type ZoneUseCases = ReturnType<typeof zoneUseCases>;
