/** Adopts one zone with its recordsets, in one transaction. */

import { type ContentChange, type Contents, contentsOfParts } from '../../model/changes/contents.ts';
import { type Clock, epochSeconds } from '../../model/clock.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { RecordsetPages } from '../../model/recordsets/store.ts';
import type { Share } from '../../model/shares/share.ts';
import type { Store, Transaction } from '../../model/store.ts';
import { nextSerial } from '../../model/zones/serial.ts';
import { adjustedTimers } from '../../model/zones/soa-timers.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { zoneTarget } from '../events/zone-target.ts';
import { protectionFault } from '../protection/protection.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { type ApexSettings, ownTimers } from '../zones/apex.ts';
import { changedBy } from '../zones/change-source.ts';
import { lockZone } from '../zones/visible-zone.ts';
import { lockOwners, type ZoneChanges } from '../zones/zone-changes.ts';
import type { InitialContents } from '../zones/zone-create-request.ts';
import type { ZoneCreation } from '../zones/zone-creation.ts';
import { partsOf, recordsetOf } from './adopted-recordsets.ts';
import { insertShares, readShares, type ShareChanges, shareChanges } from './adopted-shares.ts';
import { type AdoptionOutcome, type OutcomeKind, reasonOf, thingOf } from './outcome.ts';
import type { SourceZone } from './source.ts';
import { namesIn, outsideOf, type SourceZoneState } from './source-zone-state.ts';
import {
  CHANGEABLE,
  describeDifferences,
  differencesOf,
  isAnother,
  isEqual,
  type RecordsetDifference,
  type ZoneDifferences,
} from './zone-differences.ts';

/**
 * `look` changes nothing, `take` adopts what does not exist here, `update` also makes existing zones match the source.
 */
export type AdoptionMode = 'look' | 'take' | 'update';

export interface ZoneAdoptionDeps extends UseCaseDeps {
  readonly changes: ZoneChanges;
  readonly createZone: ZoneCreation;
  readonly apex: ApexSettings;
}

/** Every recordset of a zone. */
async function readPresent(zone: Zone, reads: RecordsetPages): Promise<readonly Recordset[]> {
  const all: Recordset[] = [];
  for (;;) {
    const page = await reads.inTreeOrder(zone, all.at(-1));
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/** How to adopt zones of one type. Each method returns the outcomes for the zone and its parts. */
interface ZoneHandling<W> {
  add(context: RequestContext, wanted: W): Promise<readonly AdoptionOutcome[]>;
  takePresent(
    context: RequestContext,
    wanted: W,
    zone: Zone,
    mode: AdoptionMode,
  ): Promise<readonly AdoptionOutcome[]>;
}

/** Returns a function that adopts a zone, and reports the outcomes for it and for parts that cannot be adopted. */
export function adoptionBy<
  W extends { readonly zone: SourceZone; readonly refused: readonly AdoptionOutcome[] },
>(store: Store, { add, takePresent }: ZoneHandling<W>) {
  return async (
    context: RequestContext,
    wanted: W,
    mode: AdoptionMode,
  ): Promise<readonly AdoptionOutcome[]> => {
    try {
      const zone = await store.zones.find(wanted.zone.id, 'all projects');
      if (zone !== undefined) return await takePresent(context, wanted, zone, mode);
      if (mode === 'look') return [outcomeOf(wanted, 'missing'), ...wanted.refused];
      return await add(context, wanted);
    } catch (error) {
      return [outcomeOf(wanted, 'refused', reasonOf(error)), ...wanted.refused];
    }
  };
}

/** A protected recordset stays as it is. */
function isProtected(difference: RecordsetDifference): boolean {
  return difference.kind !== 'missing' && protectionFault(difference.present) !== undefined;
}

/** The differing fields that an update leaves unchanged. */
export function leftBy({ fields }: ZoneDifferences, isHeld: boolean): readonly string[] {
  return fields.filter((field) => !CHANGEABLE.has(field) || (field === 'shares' && isHeld));
}

/**
 * The zone's own timers, and how those of the source were adjusted, as text.
 * @param present the current timers, which are kept if the source returns none
 */
function timersFor({ timers }: SourceZoneState, apex: ApexSettings, present: Zone['soa'] = null) {
  if (timers === undefined) return { soa: present, adjustments: undefined };
  const { timers: within, adjustments } = adjustedTimers(timers);
  return { soa: ownTimers(within, apex), adjustments };
}

function adjustmentReason(adjustments: string | undefined): readonly string[] {
  return adjustments === undefined ? [] : [`SOA timers adjusted: ${adjustments}`];
}

function contentsFor(wanted: SourceZoneState, zone: Zone, clock: Clock): Contents {
  return contentsOfParts(
    wanted.recordsets.map((one) => ({ kind: 'added', recordset: recordsetOf(one, zone, clock) })),
  );
}

export function zoneAdoption(deps: ZoneAdoptionDeps) {
  const { store, clock, access, unitOfWork, changes, createZone, apex } = deps;
  /** The serial of the source; the next one if the contents here will differ. */
  async function serialFor({ zone, refused, nameServers }: SourceZoneState): Promise<number> {
    const pool = await store.pools.find(zone.poolId);
    const here = pool?.nsRecords?.map(({ hostname }): string => hostname) ?? apex.nameServers;
    const isSame =
      refused.length === 0 && here.toSorted().join() === nameServers.toSorted().join().toLowerCase();
    return isSame ? zone.serial : nextSerial(zone.serial, epochSeconds(clock.now()));
  }

  /** The zone without the recordsets that belong to zones below it. */
  function withoutChildZones(wanted: SourceZoneState): Promise<SourceZoneState> {
    return store.transaction(async (tx) => {
      if (!(await tx.zones.hasChildren(wanted.zone.name))) return wanted;
      return outsideOf(await tx.zones.namesAmong([...namesIn(wanted)]), wanted);
    });
  }

  async function add(context: RequestContext, given: SourceZoneState): Promise<readonly AdoptionOutcome[]> {
    const wanted = await withoutChildZones(given);
    const { id, projectId, version, createdAt, updatedAt, transferredAt, poolId } = wanted.zone;
    const serial = await serialFor(wanted);
    const filling: InitialContents = {
      serial,
      kept: { id, serial, version, createdAt, updatedAt, transferredAt, poolId },
      contents: (zone) => contentsFor(wanted, zone, clock),
      require: (tx, zone) => insertShares(tx, zone, wanted.shares),
      also() {},
    };
    const { soa, adjustments } = timersFor(wanted, apex);
    const { bypassed } = await createZone({ ...context, projectId }, { ...wanted.zone, soa }, filling);
    const reasons = [
      ...(bypassed === undefined ? [] : [`its name matches the blacklist ${bypassed}`]),
      ...adjustmentReason(adjustments),
    ];
    return [outcomeOf(wanted, 'added', reasons.join('; ') || undefined), ...wanted.refused];
  }

  /** The differences of the zone here, and the resulting changes of its shares. */
  async function differencesTo(
    wanted: SourceZoneState,
    zone: Zone,
    reads: RecordsetPages,
  ): Promise<{ readonly differences: ZoneDifferences; readonly shares: ShareChanges }> {
    const present: readonly Share[] = await readShares(store.shares, zone.id);
    const guests = present.map(({ targetProjectId }) => targetProjectId);
    const recordsets = await readPresent(zone, reads);
    const { soa } = timersFor(wanted, apex, zone.soa);
    const differences = differencesOf(wanted, soa, { zone, recordsets, guests });
    return { differences, shares: shareChanges(wanted, present, differences.recordsets) };
  }

  /**
   * Makes the zone match the source.
   * @returns the change, and the differences that remain
   */
  async function bringTo(context: RequestContext, wanted: SourceZoneState, tx: Transaction, zone: Zone) {
    const { differences, shares } = await differencesTo(wanted, zone, tx.recordsets);
    const { fields, recordsets } = differences;
    const unread = new Set(wanted.refused.map(({ id }) => id));
    const isHeld = (one: RecordsetDifference) =>
      isProtected(one) ||
      (one.kind === 'only here' && (shares.held.has(one.present.projectId) || unread.has(one.present.id)));
    await insertShares(tx, zone, shares.missing);
    const parts = recordsets.filter((one) => !isHeld(one)).flatMap((one) => partsOf(one, zone, clock));
    const { steps, ...contents } = contentsOfParts(removalsFirst(parts));
    const owners = await lockOwners(tx, zone.projectId);
    const { email, ttl, description } = wanted.zone;
    const properties = { email, ttl, description, soa: timersFor(wanted, apex, zone.soa).soa };
    const change = { ...contents, steps: steps || fields.includes('serial') };
    const given = { properties, contents: change, by: changedBy(context, 'import') };
    const applied = await changes.apply(tx, { kind: 'update', zone, ...given }, owners);
    for (const { id } of shares.over) tx.shares.remove(id);
    const left = { fields: leftBy(differences, shares.held.size > 0), recordsets: recordsets.filter(isHeld) };
    return { applied, left };
  }

  /** Updates a zone. Differences that an update cannot resolve are reported. */
  async function update(
    context: RequestContext,
    given: SourceZoneState,
  ): Promise<readonly AdoptionOutcome[]> {
    const wanted = await withoutChildZones(given);
    const { id } = wanted.zone;
    const left = await unitOfWork.change(context, { kind: 'zone', id }, async (tx, emit) => {
      const zone = await lockZone(tx, access, context, 'update_zone', id);
      const { applied, left } = await bringTo(context, wanted, tx, zone);
      emit({ type: 'zone.changed', target: zoneTarget(zone), ...applied });
      return left;
    });
    const [reason] = adjustmentReason(timersFor(wanted, apex).adjustments);
    return [updatedTo(wanted, left, reason), ...wanted.refused];
  }

  return adoptionBy<SourceZoneState>(store, {
    add,
    async takePresent(context, wanted, zone, mode) {
      const { differences } = await differencesTo(wanted, zone, store.recordsets);
      if (isEqual(differences)) return [outcomeOf(wanted, 'present'), ...wanted.refused];
      if (mode === 'update' && !isAnother(differences)) return update(context, wanted);
      return [outcomeOf(wanted, 'different', describeDifferences(differences)), ...wanted.refused];
    },
  });
}

/** Removals first, so that added recordsets never clash with the name or id of removed ones. */
function removalsFirst(parts: readonly ContentChange[]): readonly ContentChange[] {
  const isRemoval = ({ kind }: ContentChange) => kind === 'removed';
  return [...parts.filter(isRemoval), ...parts.filter((part) => !isRemoval(part))];
}

/** The outcome of updating a zone. */
export function updatedTo(
  wanted: { readonly zone: SourceZone },
  left: ZoneDifferences,
  reason?: string,
): AdoptionOutcome {
  return isEqual(left)
    ? outcomeOf(wanted, 'updated', reason)
    : outcomeOf(wanted, 'different', describeDifferences(left));
}

export function outcomeOf(
  { zone }: { readonly zone: SourceZone },
  outcome: OutcomeKind,
  reason?: string,
): AdoptionOutcome {
  return { thing: thingOf(zone), id: zone.id, name: zone.name, outcome, reason };
}
