import type { Scope } from '../access/scope.ts';
import { notBefore } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { createIn, type Once } from '../idempotency/once.ts';
import type { Page } from '../lists.ts';
import type { Store, Transaction } from '../store.ts';
import type { Zone } from '../zones/zone.ts';
import { changeContents, lockZone, type ZoneChangeDeps } from '../zones/zone-change.ts';
import { drawnRecordset } from '../zones/zone-creation.ts';
import { requireRecords } from './records.ts';
import type {
  ListedRecordset,
  Recordset,
  RecordsetChanges,
  RecordsetDraft,
  RecordsetQuery,
} from './recordset.ts';
import { locationFault } from './recordset-location.ts';

export interface RecordsetDeps extends ZoneChangeDeps {
  readonly store: Store;
}

function listed(recordset: Recordset, zone: Zone): ListedRecordset {
  return { ...recordset, zoneName: zone.name };
}

async function requireLocation(tx: Transaction, zone: Zone, recordset: Recordset): Promise<void> {
  const fault = locationFault(recordset, await tx.recordsets.surroundings(zone, recordset));
  if (fault !== undefined) throw new DomainError('invalid_recordset_location', fault);
}

function requireWritable(
  { type, name, managed }: Pick<Recordset, 'type' | 'name' | 'managed'>,
  zone: Zone,
): void {
  if (managed || type === 'SOA' || (type === 'NS' && name === zone.name)) {
    throw new DomainError('managed_recordset');
  }
}

async function requireRecordset(tx: Transaction, zone: Zone, id: string): Promise<Recordset> {
  const recordset = await tx.recordsets.find(zone.id, id);
  if (recordset === undefined) throw new DomainError('recordset_not_found');
  requireWritable(recordset, zone);
  return recordset;
}

/** The use cases of recordsets. Every write is one step of the zone's serial. */
export function recordsetUseCases(deps: RecordsetDeps) {
  const { store, clock } = deps;

  function changed(current: Recordset, changes: RecordsetChanges): Recordset {
    const { ttl = current.ttl, description = current.description } = changes;
    const records = changes.records ? requireRecords(current.type, changes.records) : current.records;
    const updatedAt = notBefore(clock.now(), current.createdAt, current.updatedAt);
    return { ...current, ttl, description, records, version: current.version + 1, updatedAt };
  }

  return {
    /** Checks in this order: location, quotas, duplicate. */
    create(
      zoneId: string,
      draft: RecordsetDraft,
      scope: Scope,
      once?: Once<ListedRecordset>,
    ): Promise<ListedRecordset> {
      return createIn(store, once, async (tx) => {
        const zone = await lockZone(tx, zoneId, scope);
        const recordset = drawnRecordset(draft, zone, clock);
        requireWritable(recordset, zone);
        await requireLocation(tx, zone, recordset);
        const count = recordset.records.length;
        const recordsetRecords = { now: count, before: 0 };
        await changeContents(tx, zone, { recordsets: 1, records: count, recordsetRecords }, deps);
        if (!(await tx.recordsets.insert([recordset]))) throw new DomainError('duplicate_recordset');
        return listed(recordset, zone);
      });
    },

    async get(zoneId: string, id: string, scope: Scope): Promise<ListedRecordset> {
      const zone = await store.zones.find(zoneId, scope);
      if (zone === undefined) throw new DomainError('zone_not_found');
      const recordset = await store.recordsets.find(zoneId, id);
      if (recordset === undefined) throw new DomainError('recordset_not_found');
      return listed(recordset, zone);
    },

    /** The zone of a recordset of which only the id is known. */
    async zoneOf(id: string, scope: Scope): Promise<string> {
      const zoneId = await store.recordsets.zoneOf(id, scope);
      if (zoneId === undefined) throw new DomainError('recordset_not_found');
      return zoneId;
    },

    async listOfZone(zoneId: string, query: RecordsetQuery, scope: Scope): Promise<Page<ListedRecordset>> {
      if ((await store.zones.find(zoneId, scope)) === undefined) throw new DomainError('zone_not_found');
      return store.recordsets.list(query, { zoneId });
    },

    list(query: RecordsetQuery, scope: Scope): Promise<Page<ListedRecordset>> {
      return store.recordsets.list(query, scope);
    },

    count(filters: RecordsetQuery['filters'], within: Scope | { zoneId: string }): Promise<number> {
      return store.recordsets.count(filters, within);
    },

    update(zoneId: string, id: string, changes: RecordsetChanges, scope: Scope): Promise<ListedRecordset> {
      return store.transaction(async (tx) => {
        const zone = await lockZone(tx, zoneId, scope);
        const current = await requireRecordset(tx, zone, id);
        const recordset = changed(current, changes);
        // The name stays; what a delegation hides goes by the name servers that it names.
        if (recordset.type === 'NS') await requireLocation(tx, zone, recordset);
        const [now, before] = [recordset.records.length, current.records.length];
        const growth = { recordsets: 0, records: now - before, recordsetRecords: { now, before } };
        await changeContents(tx, zone, growth, deps);
        await tx.recordsets.update(recordset);
        return listed(recordset, zone);
      });
    },

    /** Deletes a recordset and returns it as it last was. */
    remove(zoneId: string, id: string, scope: Scope): Promise<ListedRecordset> {
      return store.transaction(async (tx) => {
        const zone = await lockZone(tx, zoneId, scope);
        const recordset = await requireRecordset(tx, zone, id);
        await changeContents(tx, zone, { recordsets: -1, records: -recordset.records.length }, deps);
        await tx.recordsets.remove(id);
        return listed(recordset, zone);
      });
    },
  };
}

export type RecordsetUseCases = ReturnType<typeof recordsetUseCases>;
