import type { Scope } from '../access/scope.ts';
import { type Clock, epochSeconds, notBefore } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { type Limits, limitsOf, requireRoom } from '../quotas/quota.ts';
import type { Transaction } from '../store.ts';
import { type ApexSettings, soaRdata } from './apex.ts';
import { nextSerial } from './serial.ts';
import type { Zone } from './zone.ts';

/** What a change of recordsets adds to a zone; negative where it takes away. */
export interface Growth {
  readonly recordsets: number;
  readonly records: number;
}

/** The zone, locked for this transaction. Throws `zone_not_found`. */
export async function lockZone(tx: Transaction, id: string, scope: Scope): Promise<Zone> {
  const zone = await tx.zones.lock(id, scope);
  if (zone === undefined) throw new DomainError('zone_not_found');
  return zone;
}

/** One step of the zone's serial and version, with whatever else changes. */
export function steppedZone(zone: Zone, changes: Partial<Zone>, now: string): Zone {
  return {
    ...zone,
    ...changes,
    serial: nextSerial(zone.serial, epochSeconds(now)),
    version: zone.version + 1,
    updatedAt: notBefore(now, zone.createdAt, zone.updatedAt),
  };
}

/** Refuses what would take a zone beyond the limits of its owner. */
export function requireRoomInZone(zone: Zone, growth: Growth, limits: Limits): void {
  requireRoom(
    'zone_recordsets',
    limits.zone_recordsets,
    zone.recordsets + growth.recordsets,
    growth.recordsets,
  );
  requireRoom('zone_records', limits.zone_records, zone.records + growth.records, growth.records);
}

export interface ZoneChangeDeps {
  readonly clock: Clock;
  readonly quotas: Limits;
  readonly apex: ApexSettings;
}

/**
 * Counts what a zone gains or loses, in the zone and in its project, and takes its serial one step on; all within the
 * limits of the owner. The zone is locked by the caller.
 */
export async function changeContents(
  tx: Transaction,
  zone: Zone,
  change: Growth & { readonly recordsetRecords?: { readonly now: number; readonly before: number } },
  deps: ZoneChangeDeps,
): Promise<Zone> {
  const project = await tx.projects.lock(zone.projectId);
  const limits = limitsOf(project, deps.quotas);
  const { now, before } = change.recordsetRecords ?? { now: 0, before: 0 };
  requireRoom('recordset_records', limits.recordset_records, now, now - before);
  requireRoomInZone(zone, change, limits);
  const contents = {
    recordsets: zone.recordsets + change.recordsets,
    records: zone.records + change.records,
  };
  const changed = steppedZone(zone, contents, deps.clock.now());
  await tx.projects.grow(zone.projectId, { recordsets: change.recordsets });
  await tx.zones.update(changed, soaRdata(changed, deps.apex));
  return changed;
}
