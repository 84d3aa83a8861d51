import { contentsOf } from '../../model/changes/contents.ts';
import { type Clock, notBefore } from '../../model/clock.ts';
import { type ConditionalOptions, requirePrecondition } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type {
  ListedRecordset,
  ParsedChanges,
  Recordset,
  RecordsetChanges,
} from '../../model/recordsets/recordset.ts';
import { recordsetBytes } from '../../model/recordsets/size.ts';
import { zoneTarget } from '../events/zone-target.ts';
import { requireSeen } from '../zones/visible-zone.ts';
import { lockOwners } from '../zones/zone-changes.ts';
import { lockRecordset, requireFound, requireRecordsetRule, withHider } from './own-recordset.ts';
import {
  batchPlaceOf,
  pending,
  type RecordsetDeps,
  type recordReader,
  requireLocation,
} from './recordset-creation.ts';

function changed(current: Recordset, asked: ParsedChanges, clock: Clock): Recordset {
  const { ttl = current.ttl, description = current.description } = asked;
  const { records = current.records, spellings = current.spellings } = asked;
  const bytes = asked.size === undefined ? current.bytes : recordsetBytes(current.name, asked.size);
  const updatedAt = notBefore(clock.now(), current.createdAt, current.updatedAt);
  const version = current.version + 1;
  return { ...current, ttl, description, records, spellings, bytes, version, updatedAt };
}

/** Updates single recordsets. */
export function recordsetUpdate(deps: RecordsetDeps, readRecords: ReturnType<typeof recordReader>) {
  const { store, clock, access, unitOfWork, changes } = deps;

  /** Parses the changed records by the type of the recordset, and finds the zone that hides it. */
  async function readChanges(
    context: RequestContext,
    zoneId: string,
    id: string,
    asked: RecordsetChanges,
    options: ConditionalOptions,
  ): Promise<{ readonly read: ParsedChanges; readonly hiddenBy: ListedRecordset['hiddenBy'] }> {
    const zone = requireSeen(await store.zones.find(zoneId, context.scope));
    const found = await store.recordsets.find(zoneId, id);
    requireRecordsetRule(access, context, 'update_recordset', { zone, recordset: found });
    const present = requireFound(found);
    // Precedes the checks of the records, which run without the lock.
    requirePrecondition(options, present);
    const { name, type, records } = present;
    const { hiddenBy } = await withHider(store, context, present);
    if (asked.records === undefined) return { read: asked, hiddenBy };
    if (zone.type === 'SECONDARY') throw new DomainError('secondary_zone');
    const parsed = await readRecords(zone, { name, type, records: asked.records }, records.length);
    return { read: { ...asked, ...parsed }, hiddenBy };
  }

  return (
    context: RequestContext,
    zoneId: string,
    id: string,
    asked: RecordsetChanges,
    options: ConditionalOptions = {},
  ): Promise<ListedRecordset> => {
    return unitOfWork.attempt(context, { kind: 'zone', id: zoneId }, async () => {
      const { read, hiddenBy } = await readChanges(context, zoneId, id, asked, options);
      return unitOfWork.commitBatched(
        context,
        batchPlaceOf(zoneId, false, asked.records),
        async (tx, emit) => {
          const { zone, recordset: before } = await lockRecordset(tx, access, context, 'update_recordset', {
            zoneId,
            id,
            ...options,
          });
          const recordset = changed(before, read, clock);
          // The name cannot change, but the targets of a delegation determine which recordsets it hides.
          if (recordset.type === 'NS') await requireLocation(tx, zone, recordset);
          const grows = recordset.records.length > before.records.length || recordset.bytes > before.bytes;
          const owners = grows ? await lockOwners(tx, zone.projectId) : undefined;
          const contents = contentsOf({ kind: 'replaced', before, recordset });
          const applied = await changes.apply(tx, { kind: 'update', zone, properties: {}, contents }, owners);
          emit({ type: 'recordset.changed', target: zoneTarget(zone), ...applied });
          return { ...pending(recordset, zone, 'UPDATE'), hiddenBy };
        },
      );
    });
  };
}
