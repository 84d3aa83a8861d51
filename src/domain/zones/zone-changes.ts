/** The only way to change zones: quotas, counters, serial, SOA and rows are derived from the change. */

import { isLaterSerial } from '../../dns/serial.ts';
import type { Scope } from '../../model/access/scope.ts';
import {
  type Applied,
  type AppliedChange,
  type AppliedCreation,
  type AppliedRemoval,
  type AppliedTransfer,
  type AppliedUpdate,
  outcomeOf,
  type ZoneChange,
} from '../../model/changes/zone-change.ts';
import type { Clock } from '../../model/clock.ts';
import { type Limits, limitsOf, type ProjectState, requireCapacity } from '../../model/quotas/quota.ts';
import { ownerPause } from '../../model/secondaries/pauses.ts';
import type { Transaction } from '../../model/store.ts';
import { NOTHING, sum, totalsOf } from '../../model/zones/totals.ts';
import { mayHaveOrders, type Zone } from '../../model/zones/zone.ts';
import { type ApexSettings, soaRdata } from './apex.ts';
import { isPublished, type JournalSettings, journalFor } from './change-journal.ts';
import { writeContents } from './content-writing.ts';
import { removeAndKeep } from './deleted-contents.ts';
import { apexOf, writeNewZones } from './new-zone-rows.ts';
import { growProjects, growTogether } from './project-growth.ts';
import { withQuotaThresholds } from './quota-thresholds.ts';
import { shownQuota } from './shown-quota.ts';

/** Projects that a change makes grow, locked for this transaction. */
export type Owners = ReadonlyMap<string, ProjectState>;

export interface ZoneChangesDeps extends JournalSettings {
  readonly clock: Clock;
  /** Limits of projects without their own. */
  readonly quotas: Limits;
  /** In bytes. */
  readonly maxZoneSize: number;
  readonly apex: ApexSettings;
  /** How long deleted zones are kept, in days; 0 for not at all. */
  readonly deletedZoneDays: number;
}

/** Locks projects in the order of their ids, so that two changes never deadlock. */
export async function lockOwners(tx: Transaction, ...projectIds: readonly string[]): Promise<Owners> {
  const owners = new Map<string, ProjectState>();
  for (const id of [...projectIds].sort()) owners.set(id, await tx.projects.lock(id));
  return owners;
}

function limitsFor(projectId: string, owners: Owners, quotas: Limits): Limits {
  const owner = owners.get(projectId);
  if (owner === undefined) throw new Error(`The project ${projectId} grows but is not locked.`);
  return limitsOf(owner, quotas);
}

/** Refuses growth beyond the owner's limits. For a new owner, the whole zone is growth. */
function requireCapacityFor(change: AppliedChange, owners: Owners, quotas: Limits): void {
  const { before, after, contents } = change;
  if (after === undefined) return;
  const { projectId } = after;
  const held = before?.projectId === projectId ? { zones: 1, ...totalsOf(before) } : { zones: 0, ...NOTHING };
  const growth = {
    zones: 1 - held.zones,
    recordsets: after.recordsets - held.recordsets,
    records: after.records - held.records,
  };
  const { largest } = contents;
  if (Math.max(growth.zones, growth.recordsets, growth.records, largest.now) <= 0) return;
  const limits = limitsFor(projectId, owners, quotas);
  requireCapacity('zones', limits.zones, owners.get(projectId)!.zones + growth.zones, growth.zones);
  requireCapacity('recordset_records', limits.recordset_records, largest.now, largest.now - largest.before);
  requireCapacity('zone_recordsets', limits.zone_recordsets, after.recordsets, growth.recordsets);
  requireCapacity('zone_records', limits.zone_records, after.records, growth.records);
}

/** The size limit of a zone does not depend on its owner. */
function requireSize({ before, after }: AppliedChange, maxZoneSize: number): void {
  if (after === undefined) return;
  requireCapacity('max_zone_size', maxZoneSize, after.bytes, after.bytes - (before?.bytes ?? 0));
}

/** @throws DomainError `over_quota`, without what the scope hides */
function requireRoom(
  change: AppliedChange,
  owners: Owners,
  scope: Scope,
  { quotas, maxZoneSize }: Pick<ZoneChangesDeps, 'quotas' | 'maxZoneSize'>,
): void {
  try {
    requireCapacityFor(change, owners, quotas);
    requireSize(change, maxZoneSize);
  } catch (error) {
    throw change.before === undefined ? error : shownQuota(scope, change.before, error);
  }
}

/** The zone before a change; undefined for a new one. */
function formerOf(change: AppliedChange): Zone | undefined {
  if (change.kind !== 'creation') return change.before;
  return change.restored && { ...change.after, serial: change.restored.serial };
}

/**
 * The rdata of the SOA before and after a change, as far as it is the service's.
 * @param stored the one before, if it is stored
 */
function bothSoa(
  change: AppliedChange,
  stored: string | undefined,
  apex: ApexSettings,
): readonly [string, string] {
  const { kind, after } = change;
  const soaOf = (zone: Zone | undefined) => (zone?.type === 'PRIMARY' ? soaRdata(zone, apex) : '');
  return [stored ?? soaOf(formerOf(change)), kind === 'transfer' ? change.soa.rdata : soaOf(after)];
}

/** Announces the size of the write. Deleting a zone, or giving it to another project, writes all its recordsets. */
function expectWrites(tx: Transaction, { before, after, contents }: AppliedChange): void {
  const isWhole =
    before !== undefined && (before.projectId !== after?.projectId || after.action === 'DELETE');
  const { recordsets, bytes } = sum({ ...contents.growth, ...contents.written }, isWhole ? before : NOTHING);
  tx.recordsets.expect({ recordsets, bytes });
}

async function writeMasters(tx: Transaction, zone: Zone, now: string): Promise<void> {
  const state = await tx.secondaries.retryOf(zone.id);
  tx.secondaries.setMasters(zone, ownerPause(now, state?.attempts));
}

async function moveToOwner(tx: Transaction, { before, after }: AppliedUpdate, now: string): Promise<void> {
  tx.zones.moveTo(after.id, after.projectId);
  await tx.recordsets.moveTo(after.id, before.projectId, after.projectId);
  tx.secondaries.moveTo(after.id, after.projectId);
  tx.shares.moveTo(after.id, after.projectId, now);
}

export function zoneChanges(deps: ZoneChangesDeps) {
  const { clock, quotas, maxZoneSize, apex, publication } = deps;

  async function writeRemoval(tx: Transaction, { kind, before: zone, after }: AppliedRemoval): Promise<void> {
    // A zone that its servers still have to drop has been kept already. An abandoned one lives on there.
    const isKept = kind === 'deletion' && zone.action !== 'DELETE' && deps.deletedZoneDays > 0;
    if (isKept) await removeAndKeep(tx, zone, clock.now());
    else await tx.recordsets.removeAll(zone.id);
    if (zone.type === 'SECONDARY') tx.secondaries.end(zone.id, after === undefined);
    if (after === undefined) {
      if (mayHaveOrders(zone))
        tx.publications.forget(zone, clock.now(), publication.formerNames, kind === 'abandonment');
      tx.zones.remove(zone);
      tx.history.forget(zone.id);
    } else {
      tx.zones.leave(after);
      tx.publications.orderRemoval(zone.id, clock.now());
    }
  }

  function writeTransfer(tx: Transaction, { before, after, soa }: AppliedTransfer): void {
    tx.zones.update(after, soa.rdata);
    // Before its first transfer, the zone had nothing to publish.
    if (before.isAwaited && after.pool.publishes) tx.publications.enroll(after);
  }

  async function writeProperties(tx: Transaction, change: AppliedUpdate, soa: string): Promise<void> {
    const { before, after } = change;
    tx.zones.update(after, soa || undefined);
    if (after.masters !== before.masters) await writeMasters(tx, after, clock.now());
    if (after.pool.id !== before.pool.id) tx.zones.setPool(after.id, after.pool.id);
    if (after.projectId !== before.projectId) await moveToOwner(tx, change, clock.now());
  }

  /** @param soa the rdata of the SOA after the change; empty if it is not the service's */
  async function writeZone(tx: Transaction, change: AppliedChange, soa: string): Promise<void> {
    switch (change.kind) {
      case 'creation':
        return writeNewZones(tx, [change], deps);
      case 'update':
      case 'move':
        return writeProperties(tx, change, soa);
      case 'transfer':
        return writeTransfer(tx, change);
      case 'deletion':
      case 'abandonment':
        return writeRemoval(tx, change);
      case 'correction':
        return tx.zones.correct(change.after.id, change.after);
    }
  }

  /**
   * The result of a change, if its owner has room for it.
   * @param owners must contain the locked owner of a growing zone
   * @param scope what the caller sees: a refusal tells no usage that this hides
   * @throws DomainError `over_quota`
   */
  function plan<Change extends ZoneChange>(
    change: Change,
    owners: Owners,
    scope: Scope = 'all projects',
  ): Applied<Change> {
    const applied = outcomeOf(change, clock.now());
    if (change.kind === 'correction') return applied;
    requireRoom(applied, owners, scope, deps);
    const owner = applied.after && owners.get(applied.after.projectId);
    return withQuotaThresholds(applied, { owner, quotas, maxZoneSize });
  }

  /**
   * Writes a planned change: the rows, the journal, and the order to publish it.
   * @throws DomainError `duplicate_recordset`
   */
  async function write<Planned extends AppliedChange>(tx: Transaction, planned: Planned): Promise<Planned> {
    expectWrites(tx, planned);
    const journal = journalFor(planned, deps);
    if (planned.kind === 'creation' && planned.restored !== undefined)
      journal?.addRestored(planned.restored, apexOf(planned, deps));
    const stored = isPublished(planned) ? await tx.publications.soaOf(planned.after) : undefined;
    const soa = bothSoa(planned, stored, apex);
    await writeZone(tx, planned, soa[1]);
    await writeContents(tx, planned, journal?.collectors ?? []);
    journal?.write(tx, soa, stored !== undefined);
    // The master restarted its serials: the servers have a later serial, but not this content.
    if (isPublished(planned) && !isLaterSerial(planned.after.serial, planned.before.serial))
      tx.publications.forgetPublished(planned.after);
    // Last, so that a large deletion does not lock its project for long.
    growProjects(tx, planned);
    return planned;
  }

  /** Writes new zones without contents. */
  function writeTogether(tx: Transaction, planned: readonly AppliedCreation[]): void {
    writeNewZones(tx, planned, deps);
    growTogether(tx, planned);
  }

  return {
    plan,
    write,
    writeTogether,
    /** Plans and writes a change in one step. */
    apply: <Change extends ZoneChange>(
      tx: Transaction,
      change: Change,
      owners: Owners = new Map(),
      scope?: Scope,
    ): Promise<Applied<Change>> => write(tx, plan(change, owners, scope)),
  };
}

export type ZoneChanges = ReturnType<typeof zoneChanges>;
