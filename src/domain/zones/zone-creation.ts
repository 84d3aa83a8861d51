import type { Fqdn } from '../../dns/names.ts';
import { isLaterSerial } from '../../dns/serial.ts';
import { type Act, requireProject } from '../acts/act.ts';
import type { Tell } from '../acts/acts.ts';
import type { BlacklistGuard } from '../blacklists/blacklist-guard.ts';
import { countNoted, createAdmitted, isWarned, requireHeld } from '../blacklists/held.ts';
import type { HitCounter } from '../blacklists/hit-counter.ts';
import { bothAdmitted } from '../blacklists/many-names.ts';
import { type Admission, nameAdmission } from '../blacklists/name-admission.ts';
import { epochSeconds } from '../clock.ts';
import type { Kept } from '../kept.ts';
import type { Log } from '../log.ts';
import type { Transaction } from '../store.ts';
import { together } from '../together.ts';
import type { UseCaseDeps } from '../use-case.ts';
import { plannedCreation } from './creation-rules.ts';
import { newZone, type Unplaced } from './new-zone.ts';
import { nextSerial } from './serial.ts';
import type { Zone, ZoneDraft } from './zone.ts';
import { type AppliedChange, type Contents, NO_CONTENTS } from './zone-change.ts';
import { lockOwners, type ZoneChanges } from './zone-changes.ts';
import { zoneTarget } from './zone-target.ts';

export interface CreatedZone {
  readonly zone: Zone;
  /** The id of the blacklist that the name matches, if the act may use a blacklisted name. */
  readonly bypassed?: string | undefined;
  /** Whether the name matches a blacklist that is going to refuse such names. */
  readonly isWarned: boolean;
}

/** What a zone keeps of its life in another service; its serial, too, unless a later one is known here. */
export type KeptZone = Kept &
  Pick<Zone, 'serial' | 'version' | 'transferredAt'> & { readonly poolId: string };

/** The contents of a new zone. */
export interface Filling {
  /** The serial of the zone comes after this one. */
  readonly serial: number;
  readonly kept?: KeptZone;
  contents(zone: Zone): Contents;
  /** Further reads of the store before the first write. Throws its refusal. */
  require(tx: Transaction, zone: Zone): Promise<void>;
  /** Further writes in the creating transaction. */
  also(tx: Transaction, zone: Zone): void;
  /** Judges the names in the contents, if the blacklists are asked about them. */
  admit?(act: Act<never>): Promise<Admission>;
}

export interface ZoneCreationDeps extends UseCaseDeps {
  readonly guard: BlacklistGuard;
  readonly hits: HitCounter;
  readonly log: Log;
  readonly changes: ZoneChanges;
  /** Seconds. */
  readonly defaultTtl: number;
}

function withoutPool(kept: KeptZone | undefined): Partial<Omit<KeptZone, 'poolId'>> {
  if (kept === undefined) return {};
  const { poolId: _, ...rest } = kept;
  return rest;
}

/** Servers that still have an earlier zone of the name take only a later serial. */
function serialAbove({ serial, createdAt }: Unplaced, former: number | undefined): number {
  if (former === undefined || isLaterSerial(serial, former)) return serial;
  return nextSerial(former, epochSeconds(createdAt));
}

function tellOf(tell: Tell, applied: AppliedChange, { bypassed, noted }: Admission): void {
  const target = zoneTarget(applied.after!);
  if (bypassed !== undefined)
    tell({ type: 'zone.created_blacklisted', target, ...applied, blacklistId: bypassed });
  else if (noted.found > 0) tell({ type: 'zone.created_noted', target, ...applied, noted });
  else tell({ type: 'zone.created', target, ...applied });
}

/** The only way to create a zone, empty or with contents. */
export function zoneCreation(deps: ZoneCreationDeps) {
  const { guard, hits, acts, changes, clock } = deps;
  const requireAdmission = nameAdmission(deps);

  /**
   * Stores the zone. All reads are sent at once. The lock on the name comes first, so the other reads run while the name
   * is locked; the instant at which it is created is one of them.
   */
  async function insert(
    tx: Transaction,
    { projectId }: Act<CreatedZone>,
    draft: ZoneDraft,
    admission: Admission,
    filling: Filling | undefined,
  ): Promise<AppliedChange> {
    const { name, attributes = {} } = draft;
    const [, present, tld, owners, conflicts, pool, formerSerial] = await together(
      tx.zones.lockName(name),
      tx.blacklists.present(),
      tx.tlds.verdictOn(name),
      lockOwners(tx, projectId),
      tx.zones.conflicts(name, projectId),
      tx.pools.choose(name, filling?.kept ? { pool_id: filling.kept.poolId } : attributes),
      tx.publications.formerSerial(name),
    );
    const createdAt = requireHeld(admission, present, clock);
    const planned = plannedCreation({ tld, pool, conflicts }, (chosen) => {
      const fresh = newZone(deps, draft, { projectId, createdAt, after: filling?.serial });
      const unplaced = { ...fresh, ...withoutPool(filling?.kept) };
      const zone = { ...unplaced, pool: chosen, serial: serialAbove(unplaced, formerSerial) };
      const contents = filling?.contents(zone) ?? NO_CONTENTS;
      return changes.plan({ kind: 'creation', zone, contents }, owners);
    });
    const zone = planned.after!;
    await filling?.require(tx, zone);
    const applied = await changes.write(tx, planned);
    filling?.also(tx, zone);
    return applied;
  }

  async function insertAt(
    act: Act<CreatedZone>,
    admission: Admission,
    draft: ZoneDraft,
    filling: Filling | undefined,
  ): Promise<CreatedZone> {
    const created = await acts.commit(act, async (tx, tell): Promise<CreatedZone> => {
      const applied = await insert(tx, act, draft, admission, filling);
      tellOf(tell, applied, admission);
      return { zone: applied.after!, bypassed: admission.bypassed, isWarned: isWarned(admission) };
    });
    countNoted(hits, admission.noted);
    return created;
  }

  /** Judges the name of the zone, and then those in its contents. */
  async function admit(act: Act<CreatedZone>, name: Fqdn, filling: Filling | undefined): Promise<Admission> {
    const admission = await requireAdmission(act, name);
    if (filling?.admit === undefined) return admission;
    return bothAdmitted(admission, await filling.admit(act));
  }

  async function create(
    act: Act<CreatedZone>,
    draft: ZoneDraft,
    filling: Filling | undefined,
  ): Promise<CreatedZone> {
    requireProject(act);
    return createAdmitted(
      guard,
      () => admit(act, draft.name, filling),
      (admission) => insertAt(act, admission, draft, filling),
    );
  }

  /**
   * Creates a zone. Checks in this order: blacklist, TLD, quotas, zones above and below, duplicate; all but the search
   * through the patterns inside the creating transaction, which also proves that the patterns are still the same.
   */
  return (act: Act<CreatedZone>, draft: ZoneDraft, filling?: Filling): Promise<CreatedZone> =>
    acts.attempt(act, { kind: 'zone', name: draft.name, projectId: act.projectId }, () =>
      create(act, draft, filling),
    );
}

export type ZoneCreation = ReturnType<typeof zoneCreation>;
