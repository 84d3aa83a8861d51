/** Decides creates of zones inside the creating transaction: one, or several in their order. */
import { isLaterSerial } from '../../dns/serial.ts';
import type { Present } from '../../model/blacklists/store.ts';
import { type AppliedChange, NO_CONTENTS } from '../../model/changes/zone-change.ts';
import { type Clock, epochSeconds, later } from '../../model/clock.ts';
import type { ProjectState } from '../../model/quotas/quota.ts';
import type { Transaction } from '../../model/store.ts';
import type { HiddenRecords } from '../../model/zones/hidden-records.ts';
import { nextSerial } from '../../model/zones/serial.ts';
import { together } from '../../runtime/together.ts';
import type { AccessControl } from '../access/access-control.ts';
import { requireHeld } from '../blacklists/held.ts';
import { AcceptedNames } from './accepted-names.ts';
import { type Circumstances, plannedCreation, readableHidden } from './creation-rules.ts';
import { newZone, type Unplaced } from './new-zone.ts';
import type { KeptZone, WantedZone } from './wanted-zone.ts';
import { lockOwners, type Owners, type ZoneChanges } from './zone-changes.ts';

interface DecisionDeps {
  readonly changes: Pick<ZoneChanges, 'plan'>;
  readonly clock: Clock;
  readonly access: Pick<AccessControl, 'allows'>;
  /** Seconds. */
  readonly defaultTtl: number;
}

/** What became of one of several creates; held if another transaction has locked its name or its project. */
export type Decision =
  | { readonly kind: 'planned'; readonly planned: AppliedChange }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'held' };

/** What the store says of a create. */
interface Found extends Circumstances {
  readonly present: Present;
  /** The last serial that a gone zone of the name had. */
  readonly formerSerial: number | undefined;
  readonly hides: HiddenRecords | undefined;
}

/** What those that are accepted so far leave. */
interface State {
  readonly owners: Map<string, ProjectState>;
  readonly accepted: AcceptedNames;
}

/** In milliseconds. */
const A_MICROSECOND = 0.001;

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

/** No two zones are created at one instant, so that lists keep the order of the creates. */
function at(present: Present, place: number): Present {
  const { instant } = present;
  return instant === undefined ? present : { ...present, instant: later(instant, place * A_MICROSECOND) };
}

/** What the store says of each of the creates, in their order: few statements, however many they are. */
async function findAll(tx: Transaction, wanted: readonly WantedZone[]): Promise<readonly Found[]> {
  const names = wanted.map(({ draft }) => draft.name);
  const [present, tlds, conflicts, choose, formerSerials, hidden] = await together(
    tx.blacklists.present(),
    tx.tlds.verdictsOn(names),
    tx.zones.conflicts(wanted.map(({ act, draft }) => ({ name: draft.name, projectId: act.projectId }))),
    tx.pools.chooser(),
    tx.publications.formerSerials(names),
    tx.zones.hiddenBy(names),
  );
  return wanted.map(({ draft: { name, attributes = {} }, filling }, place) => ({
    present: at(present, place),
    tld: tlds[place]!,
    conflicts: conflicts[place]!,
    pool: choose(name, filling?.kept ? { pool_id: filling.kept.poolId } : attributes),
    formerSerial: formerSerials.get(name),
    hides: hidden.get(name),
  }));
}

export function creationDecisions(deps: DecisionDeps) {
  const { changes, clock, access } = deps;

  /** Throws the refusal, and StaleRevision. */
  function decided(
    { act, draft, admission, filling }: WantedZone,
    found: Found,
    owners: Owners,
  ): AppliedChange {
    const { projectId } = act;
    const createdAt = requireHeld(admission, found.present, clock);
    const planned = plannedCreation(found, (pool) => {
      const fresh = newZone(deps, draft, { projectId, createdAt, after: filling?.serial });
      const unplaced = { ...fresh, ...withoutPool(filling?.kept) };
      const zone = { ...unplaced, pool, serial: serialAbove(unplaced, found.formerSerial) };
      const contents = filling?.contents(zone) ?? NO_CONTENTS;
      return changes.plan({ kind: 'creation', zone, contents }, owners);
    });
    return { ...planned, hides: readableHidden(access, act, found.hides) };
  }

  /** Decides the next of several, and adds it to what it leaves. */
  function decidedAfter({ owners, accepted }: State, wanted: WantedZone, found: Found): Decision {
    const name = { name: wanted.draft.name, projectId: wanted.act.projectId };
    const owner = owners.get(name.projectId);
    if (owner === undefined) return { kind: 'held' };
    try {
      const conflicts = accepted.conflictsWith(name, found.conflicts);
      const planned = decided(wanted, { ...found, conflicts }, owners);
      accepted.add(name);
      const told = planned.nearness?.told ?? owner.told;
      owners.set(name.projectId, { ...owner, zones: owner.zones + 1, told });
      return { kind: 'planned', planned };
    } catch (error) {
      return { kind: 'refused', error };
    }
  }

  return {
    /**
     * Decides one create. All reads are sent at once. The lock on the name comes first, so the other reads run while the name
     * is locked; the instant at which it is created is one of them.
     */
    async alone(tx: Transaction, wanted: WantedZone): Promise<AppliedChange> {
      const [, owners, [found]] = await together(
        tx.zones.lockName(wanted.draft.name),
        lockOwners(tx, wanted.act.projectId),
        findAll(tx, [wanted]),
      );
      return decided(wanted, found!, owners);
    },

    /**
     * Decides several creates, each as if those before it had been made: by the same rules, in the same order. It never
     * waits for a name, so it may lock the projects first.
     * @param waits whether it waits for their project, which is then the same; otherwise it leaves out those that are locked
     */
    async together(
      tx: Transaction,
      wanted: readonly WantedZone[],
      waits: boolean,
    ): Promise<readonly Decision[]> {
      const projectIds = [...new Set(wanted.map(({ act }) => act.projectId))];
      const [locked, names, found] = await together(
        waits ? lockOwners(tx, ...projectIds) : tx.projects.lockFree(projectIds),
        tx.zones.lockFreeNames([...new Set(wanted.map(({ draft }) => draft.name))]),
        findAll(tx, wanted),
      );
      const state: State = { owners: new Map(locked), accepted: new AcceptedNames() };
      return wanted.map((one, place) =>
        names.has(one.draft.name) ? decidedAfter(state, one, found[place]!) : { kind: 'held' },
      );
    },
  };
}
