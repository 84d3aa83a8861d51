/** Takes over one zone with its recordsets, in one transaction. */
import type { Act } from '../acts/act.ts';
import { epochSeconds } from '../clock.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { RecordsetPages } from '../recordsets/store.ts';
import { MOST_SHARES } from '../shares/share.ts';
import { requireFewShares } from '../shares/shares.ts';
import type { Transaction } from '../store.ts';
import type { UseCaseDeps } from '../use-case.ts';
import type { ApexSettings } from '../zones/apex.ts';
import { nextSerial } from '../zones/serial.ts';
import { lockZone } from '../zones/visible-zone.ts';
import type { Zone } from '../zones/zone.ts';
import { type Contents, contentsOfParts } from '../zones/zone-change.ts';
import { lockOwners, type ZoneChanges } from '../zones/zone-changes.ts';
import type { Filling, ZoneCreation } from '../zones/zone-creation.ts';
import { zoneTarget } from '../zones/zone-target.ts';
import { partsOf, recordsetOf } from './adopted-recordsets.ts';
import { type Outcome, type OutcomeKind, reasonOf } from './outcome.ts';
import type { SourceShare } from './source.ts';
import { namesIn, outsideOf, type WantedZone } from './wanted-zone.ts';
import {
  CHANGEABLE,
  describeDifferences,
  differencesOf,
  isEqual,
  type ZoneDifferences,
} from './zone-differences.ts';

/** `look` changes nothing, `take` takes what is not here, `update` also brings what differs to what the source has. */
export type AdoptionMode = 'look' | 'take' | 'update';

export interface ZoneAdoptionDeps extends UseCaseDeps {
  readonly changes: ZoneChanges;
  readonly createZone: ZoneCreation;
  readonly apex: ApexSettings;
}

const ALL_SHARES = { filters: {}, sortKey: 'created_at', sortDir: 'asc', limit: MOST_SHARES } as const;

/** Every recordset of a zone. */
async function readPresent(zone: Zone, reads: RecordsetPages): Promise<readonly Recordset[]> {
  const all: Recordset[] = [];
  for (;;) {
    const page = await reads.inTreeOrder(zone, all.at(-1));
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/** Before the recordsets of the projects that they let in. Those that are there already stay. */
async function insertShares(tx: Transaction, zone: Zone, shares: readonly SourceShare[]): Promise<void> {
  for (const { id, targetProjectId, createdAt, updatedAt } of shares) {
    await requireFewShares(tx, zone.id, targetProjectId);
    const { id: zoneId, projectId } = zone;
    await tx.shares.insert({ id, zoneId, projectId, targetProjectId, recordsets: 0, createdAt, updatedAt });
  }
}

export function zoneAdoption({ store, clock, access, acts, changes, createZone, apex }: ZoneAdoptionDeps) {
  /** The serial of the source, or the next one where the zone does not have the same contents here. */
  async function serialFor({ zone, refused, nameServers }: WantedZone): Promise<number> {
    const pool = await store.pools.find(zone.poolId);
    const here = pool?.nsRecords?.map(({ hostname }): string => hostname) ?? apex.nameServers;
    const isSame =
      refused.length === 0 && here.toSorted().join() === nameServers.toSorted().join().toLowerCase();
    return isSame ? zone.serial : nextSerial(zone.serial, epochSeconds(clock.now()));
  }

  /** The zone without the recordsets that belong to zones below it. */
  function withoutChildZones(wanted: WantedZone): Promise<WantedZone> {
    return store.transaction(async (tx) => {
      if (!(await tx.zones.hasChildren(wanted.zone.name))) return wanted;
      return outsideOf(await tx.zones.namesAmong([...namesIn(wanted)]), wanted);
    });
  }

  function contentsFor(wanted: WantedZone, zone: Zone): Contents {
    return contentsOfParts(
      wanted.recordsets.map((one) => ({ kind: 'added', recordset: recordsetOf(one, zone, clock) })),
    );
  }

  async function add(act: Act, given: WantedZone): Promise<readonly Outcome[]> {
    const wanted = await withoutChildZones(given);
    const { id, projectId, version, createdAt, updatedAt, transferredAt, poolId } = wanted.zone;
    const serial = await serialFor(wanted);
    const filling: Filling = {
      serial,
      kept: { id, serial, version, createdAt, updatedAt, transferredAt, poolId },
      contents: (zone) => contentsFor(wanted, zone),
      require: (tx, zone) => insertShares(tx, zone, wanted.shares),
      also() {},
    };
    const { bypassed } = await createZone({ ...act, projectId }, wanted.zone, filling);
    const reason = bypassed === undefined ? undefined : `its name matches the blacklist ${bypassed}`;
    return [outcomeOf(wanted, 'added', reason), ...wanted.refused];
  }

  /** The zone here as it is, and what differs. */
  async function differencesTo(act: Act, wanted: WantedZone, zone: Zone, reads: RecordsetPages) {
    const within = { zoneId: zone.id, scope: 'all projects' } as const;
    const { items } = await store.shares.list(ALL_SHARES, within, act.caller.projectId);
    const guests = items.map(({ targetProjectId }) => targetProjectId);
    return differencesOf(wanted, { zone, recordsets: await readPresent(zone, reads), guests });
  }

  async function bringTo(act: Act, wanted: WantedZone, tx: Transaction, zone: Zone) {
    const { email, ttl, description } = wanted.zone;
    const { fields, recordsets } = await differencesTo(act, wanted, zone, tx.recordsets);
    if (fields.includes('shares')) await insertShares(tx, zone, wanted.shares);
    const { steps, ...contents } = contentsOfParts(recordsets.flatMap((one) => partsOf(one, zone, clock)));
    const owners = await lockOwners(tx, zone.projectId);
    const properties = { email, ttl, description };
    const change = { ...contents, steps: steps || fields.includes('serial') };
    return changes.apply(tx, { kind: 'update', zone, properties, contents: change }, owners);
  }

  /** What cannot be brought here stays different. */
  async function update(
    act: Act,
    given: WantedZone,
    { fields }: ZoneDifferences,
  ): Promise<readonly Outcome[]> {
    const wanted = await withoutChildZones(given);
    const { id } = wanted.zone;
    await acts.change(act, { kind: 'zone', id }, async (tx, tell) => {
      const zone = await lockZone(tx, access, act, 'update_zone', id);
      const applied = await bringTo(act, wanted, tx, zone);
      tell({ type: 'zone.changed', target: zoneTarget(zone), ...applied });
    });
    const fixed = fields.filter((field) => !CHANGEABLE.has(field));
    const left = { fields: fixed, recordsets: [] };
    const outcome = isEqual(left)
      ? outcomeOf(wanted, 'updated')
      : outcomeOf(wanted, 'different', describeDifferences(left));
    return [outcome, ...wanted.refused];
  }

  async function takePresent(
    act: Act,
    wanted: WantedZone,
    zone: Zone,
    mode: AdoptionMode,
  ): Promise<readonly Outcome[]> {
    const differences = await differencesTo(act, wanted, zone, store.recordsets);
    if (isEqual(differences)) return [outcomeOf(wanted, 'present'), ...wanted.refused];
    if (mode === 'update') return update(act, wanted, differences);
    return [outcomeOf(wanted, 'different', describeDifferences(differences)), ...wanted.refused];
  }

  /** What became of the zone, and of those of its recordsets that cannot be taken. */
  return async (act: Act, wanted: WantedZone, mode: AdoptionMode): Promise<readonly Outcome[]> => {
    try {
      const zone = await store.zones.find(wanted.zone.id, 'all projects');
      if (zone !== undefined) return await takePresent(act, wanted, zone, mode);
      if (mode === 'look') return [outcomeOf(wanted, 'missing'), ...wanted.refused];
      return await add(act, wanted);
    } catch (error) {
      return [outcomeOf(wanted, 'refused', reasonOf(error)), ...wanted.refused];
    }
  };
}

function outcomeOf({ zone: { id, name } }: WantedZone, outcome: OutcomeKind, reason?: string): Outcome {
  return { thing: 'zone', id, name, outcome, reason };
}
