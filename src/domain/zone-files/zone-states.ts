/** Reads whole zones for clients: one consistent state, despite concurrent changes. */
import type { RequestContext } from '../../model/context/request-context.ts';
import { type Limits, limitsOf, requireCapacity } from '../../model/quotas/quota.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { RecordsetPages } from '../../model/recordsets/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { eachInTurns, TimeSlices } from '../../runtime/cooperative-yield.ts';
import { KeptRecordsets } from '../recordsets/kept-recordsets.ts';
import { storedPages } from '../recordsets/stored-pages.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { getZone, lockZone, requireStaying } from '../zones/visible-zone.ts';

/** Maximum number of attempts to read a zone without a lock. If it changes each time, it is locked. */
const MAX_ATTEMPTS = 5;
/** The SOA and the NS at the apex. */
const MANAGED = 2;

/** A zone with its recordsets, in name-tree order and by type. */
export interface ZoneState<Kept extends object> {
  readonly zone: Zone;
  readonly recordsets: KeptRecordsets<Kept>;
}

/** What is kept of a recordset; undefined to leave it out. It must survive a conversion to JSON. */
type Projection<Kept extends object> = (recordset: Recordset) => Kept | undefined;

async function readAll<Kept extends object>(
  zone: Zone,
  reads: RecordsetPages,
  keep: Projection<Kept>,
  turns: TimeSlices,
): Promise<ZoneState<Kept>> {
  const recordsets = new KeptRecordsets<Kept>();
  const add = (recordset: Recordset) => {
    const kept = keep(recordset);
    if (kept !== undefined) recordsets.add(kept, recordset.bytes);
  };
  for await (const page of storedPages(reads, zone)) await eachInTurns(page, add, turns);
  return { zone, recordsets };
}

export interface ZoneStateDeps extends UseCaseDeps {
  /** Limits of projects without their own. */
  readonly quotas: Limits;
}

/** Returns the function that reads a zone by the rule and the quota of exports, and the check of that quota. */
export function zoneStates({ store, access, unitOfWork, quotas }: ZoneStateDeps) {
  /** @throws DomainError `over_quota` */
  async function requireSize(zone: Zone): Promise<void> {
    const limits = limitsOf(await store.projects.state(zone.projectId), quotas);
    const size = zone.recordsets + MANAGED;
    requireCapacity('api_export_size', limits.api_export_size, size, size);
  }

  /** Undefined if the zone changed while it was read. */
  async function attempt<Kept extends object>(context: RequestContext, id: string, keep: Projection<Kept>) {
    const before = requireStaying(await getZone(store, access, context, 'zone_export', id));
    await requireSize(before);
    const state = await readAll(before, store.recordsets, keep, new TimeSlices(context.projectId));
    const after = await getZone(store, access, context, 'zone_export', id);
    return after.version === before.version ? state : undefined;
  }

  /** Like `attempt`, but with the zone locked. */
  function readLocked<Kept extends object>(
    context: RequestContext,
    id: string,
    keep: Projection<Kept>,
  ): Promise<ZoneState<Kept>> {
    return unitOfWork.commit(context, async (tx) => {
      const zone = await lockZone(tx, access, context, 'zone_export', id);
      return readAll(zone, tx.recordsets, keep, new TimeSlices());
    });
  }

  return {
    requireSize,
    async read<Kept extends object>(
      context: RequestContext,
      id: string,
      keep: Projection<Kept>,
    ): Promise<ZoneState<Kept>> {
      for (let made = 0; made < MAX_ATTEMPTS; made++) {
        const state = await attempt(context, id, keep);
        if (state !== undefined) return state;
      }
      return readLocked(context, id, keep);
    },
  };
}
