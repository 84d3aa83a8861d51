import { contentsOf } from '../../model/changes/contents.ts';
import { type Clock, notBefore } from '../../model/clock.ts';
import { type ConditionalOptions, requirePrecondition } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import { NO_FINDINGS } from '../../model/guardrails/guardrail.ts';
import type {
  ListedRecordset,
  ParsedChanges,
  Recordset,
  RecordsetChanges,
} from '../../model/recordsets/recordset.ts';
import { recordsetBytes } from '../../model/recordsets/size.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import { zoneTarget } from '../events/zone-target.ts';
import type { GuardedOptions } from '../guardrails/guardrails.ts';
import { requireOnlyProtectionChanges, requireUnprotected } from '../protection/protection.ts';
import { changedBy } from '../zones/change-source.ts';
import { requireSeen } from '../zones/visible-zone.ts';
import { lockOwners } from '../zones/zone-changes.ts';
import {
  lockRecordset,
  protectionOf,
  readable,
  requireFound,
  requireFuture,
  requireRecordsetRule,
  withHider,
} from './own-recordset.ts';
import { expiryOfChanged, latestExpiry } from './record-lifetime.ts';
import type { recordReader } from './records.ts';
import { batchPlaceOf, type RecordsetDeps, requireLocation } from './recordset-creation.ts';
import { pending, type WrittenRecordset, written } from './written-recordset.ts';

function changed(
  current: Recordset,
  asked: ParsedChanges,
  protection: Recordset['protection'],
  clock: Clock,
  latest: string | undefined,
): Recordset {
  const { ttl = current.ttl, description = current.description } = asked;
  const writtenAt = asked.records && clock.now();
  const expiresAt = expiryOfChanged(current.expiresAt, asked.expiresAt, { latest, writtenAt });
  const { records = current.records, spellings = current.spellings } = asked;
  const bytes = asked.size === undefined ? current.bytes : recordsetBytes(current.name, asked.size);
  const updatedAt = notBefore(clock.now(), current.createdAt, current.updatedAt);
  const version = current.version + 1;
  const said = { ttl, description, expiresAt, protection, records, spellings };
  return { ...current, ...said, bytes, version, updatedAt };
}

/** Updates single recordsets. */
export function recordsetUpdate(deps: RecordsetDeps, readRecords: ReturnType<typeof recordReader>) {
  const { store, clock, access, unitOfWork, changes, guardrails } = deps;

  /** Parses the changed records by the type of the recordset, and finds the zone that hides it. */
  async function readChanges(
    context: RequestContext,
    zoneId: string,
    id: string,
    asked: RecordsetChanges,
    options: ConditionalOptions,
  ): Promise<{ readonly read: ParsedChanges; readonly hiddenBy: ListedRecordset['hiddenBy'] }> {
    const [seen, stored] = await pipelined(
      store.zones.find(zoneId, context.scope),
      store.recordsets.find(zoneId, id),
    );
    const zone = requireSeen(seen);
    const found = readable(context, zone, stored);
    requireRecordsetRule(access, context, 'update_recordset', { zone, recordset: found });
    const present = requireFound(found);
    protectionOf(access, context, { zone, recordset: present }, asked.protection);
    // Precedes the checks of the records, which run without the lock.
    requirePrecondition(options, present);
    requireFuture(asked, clock, present.expiresAt);
    const { name, type, records } = present;
    // Precedes the quota. A locked recordset is compared as a whole.
    if (asked.records && asked.records.length !== records.length) requireUnprotected(present);
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
    options: ConditionalOptions & GuardedOptions = {},
  ): Promise<WrittenRecordset> => {
    return unitOfWork.attempt(context, { kind: 'zone', id: zoneId }, async () => {
      const { read, hiddenBy } = await readChanges(context, zoneId, id, asked, options);
      let outcome = NO_FINDINGS;
      const done = await unitOfWork.commitBatched(
        context,
        batchPlaceOf(zoneId, false, asked.records),
        async (tx, emit) => {
          const { zone, recordset: before } = await lockRecordset(tx, access, context, 'update_recordset', {
            zoneId,
            id,
            ...options,
          });
          const protection = protectionOf(access, context, { zone, recordset: before }, read.protection);
          const recordset = changed(before, read, protection, clock, latestExpiry(context, clock));
          requireOnlyProtectionChanges(before, recordset);
          const part = { kind: 'replaced', before, recordset } as const;
          const grows = recordset.records.length > before.records.length || recordset.bytes > before.bytes;
          const [verdict, , owners] = await pipelined(
            guardrails.check(tx, context, { zone, parts: [part] }, options),
            // The name cannot change, but the targets of a delegation determine which recordsets it hides.
            recordset.type === 'NS' ? requireLocation(tx, context, zone, recordset) : Promise.resolve(),
            grows ? lockOwners(tx, zone.projectId) : Promise.resolve(undefined),
          );
          const change = { zone, properties: {}, contents: contentsOf(part), by: changedBy(context) };
          const applied = await changes.apply(tx, { kind: 'update', ...change }, owners, context.scope);
          outcome = guardrails.requirePassed(verdict);
          emit({ type: 'recordset.changed', target: zoneTarget(zone), ...applied, ...outcome });
          return written({ ...pending(recordset, zone, 'UPDATE'), hiddenBy }, applied, outcome);
        },
      );
      guardrails.count(outcome);
      return done;
    });
  };
}
