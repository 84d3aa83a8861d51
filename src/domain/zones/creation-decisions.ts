/** Decides zone creations inside the creating transaction: a single one, or several in order. */
import { isLaterSerial } from '../../dns/serial.ts';
import type { RevisionSnapshot } from '../../model/blacklists/store.ts';
import { NO_CONTENTS } from '../../model/changes/contents.ts';
import type { AppliedCreation, RestoredState } from '../../model/changes/zone-change.ts';
import { type Clock, epochSeconds, later, notBefore } from '../../model/clock.ts';
import type { KeptDeletedZone } from '../../model/deleted-zones/deleted-zone.ts';
import type { PoolChooser } from '../../model/pools/store.ts';
import type { ProjectState } from '../../model/quotas/quota.ts';
import type { Transaction } from '../../model/store.ts';
import { nextSerial } from '../../model/zones/serial.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { AccessControl } from '../access/access-control.ts';
import { requireUnchanged } from '../blacklists/unchanged-blacklists.ts';
import { AcceptedNames } from './accepted-names.ts';
import { changedBy } from './change-source.ts';
import {
  type Circumstances,
  kinRules,
  plannedCreation,
  readableHidden,
  wantedName,
} from './creation-rules.ts';
import { newZone, type ZoneWithoutPool } from './new-zone.ts';
import { lockOwners, type Owners, type ZoneChanges } from './zone-changes.ts';
import type { InitialContents, KeptZone, ZoneCreateRequest } from './zone-create-request.ts';

interface DecisionDeps {
  readonly changes: Pick<ZoneChanges, 'plan'>;
  readonly clock: Clock;
  readonly access: Pick<AccessControl, 'allows' | 'denial' | 'isOverridden'>;
  /** In seconds. */
  readonly defaultTtl: number;
}

/** The decision on one of several creates; `held` if another transaction has locked its name or its project. */
export type Decision =
  | { readonly kind: 'planned'; readonly planned: AppliedCreation }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'held' };

/** The facts from the store that a create depends on. */
interface CreateFacts extends Circumstances {
  readonly present: RevisionSnapshot;
  /** The last serial of a deleted zone of the same name. */
  readonly formerSerial: number | undefined;
}

/** The state after the creates accepted so far. */
interface AcceptedState {
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

/** The properties that a restored zone has again. */
function restoredProperties(
  { id, type, former }: KeptDeletedZone,
  now: string,
): Pick<Zone, 'id' | 'version' | 'createdAt' | 'updatedAt' | 'transferredAt' | 'guardrails'> {
  const { createdAt, guardrails } = former;
  return {
    id,
    version: former.version + 1,
    createdAt,
    updatedAt: notBefore(now, createdAt, former.updatedAt),
    transferredAt: type === 'SECONDARY' ? null : former.transferredAt,
    guardrails,
  };
}

function restoredState({ kept, expired }: NonNullable<InitialContents['restored']>): RestoredState {
  const { serial, former } = kept;
  return { serial, apex: former.apex, expired };
}

/** A restored zone returns to its pool, if there still is such a pool, whatever pool it was once created for. */
function poolFor(choose: PoolChooser, { draft, filling }: ZoneCreateRequest): ReturnType<PoolChooser> {
  const { name, attributes = {} } = draft;
  const own = filling?.kept?.poolId ?? filling?.restored?.kept.former.poolId;
  const pool = choose(name, own === undefined ? attributes : { pool_id: own });
  if (pool !== undefined || filling?.restored === undefined) return pool;
  const { pool_id: _, ...others } = attributes;
  return choose(name, others);
}

/** Name servers that still have a former zone of this name accept only a later serial. */
function serialAbove({ serial, createdAt }: ZoneWithoutPool, former: number | undefined): number {
  if (former === undefined || isLaterSerial(serial, former)) return serial;
  return nextSerial(former, epochSeconds(createdAt));
}

function latestOf(serial: number | undefined, others: readonly number[]): number | undefined {
  return others.reduce<number | undefined>(
    (latest, one) => (latest === undefined || isLaterSerial(one, latest) ? one : latest),
    serial,
  );
}

/** Gives each zone its own creation time, so that lists keep the order of the creates. */
function at(present: RevisionSnapshot, place: number): RevisionSnapshot {
  const { instant } = present;
  return instant === undefined ? present : { ...present, instant: later(instant, place * A_MICROSECOND) };
}

/**
 * Reads the facts for all creates, in their order. The number of statements does not depend on the number of creates.
 */
async function findAll(
  tx: Transaction,
  wanted: readonly ZoneCreateRequest[],
  access: DecisionDeps['access'],
): Promise<readonly CreateFacts[]> {
  const names = wanted.map(({ draft }) => draft.name);
  const [present, tlds, conflicts, choose, formerSerials, hidden] = await pipelined(
    tx.blacklists.present(),
    tx.tlds.verdictsOn(names),
    tx.zones.conflicts(wanted.map(({ context, draft }) => wantedName(access, context, draft.name))),
    tx.pools.chooser(),
    tx.publications.formerSerials(names),
    tx.zones.hiddenBy(names),
  );
  return wanted.map(({ draft: { name } }, place) => ({
    present: at(present, place),
    tld: tlds[place]!,
    conflicts: conflicts[place]!,
    pool: poolFor(choose, wanted[place]!),
    formerSerial: formerSerials.get(name),
    hides: hidden.get(name),
  }));
}

export function creationDecisions(deps: DecisionDeps) {
  const { changes, clock, access } = deps;

  /** @throws DomainError for a refusal; StaleRevision */
  function decided(
    tx: Transaction,
    { context, draft, admission, filling }: ZoneCreateRequest,
    found: CreateFacts,
    owners: Owners,
  ): AppliedCreation {
    const { projectId } = context;
    const createdAt = requireUnchanged(admission, found.present, clock);
    const planned = plannedCreation(found, kinRules(access, context, draft), (pool) => {
      const fresh = newZone(deps, draft, { projectId, createdAt, after: filling?.serial });
      const { kept, restored } = filling ?? {};
      const former = restored && restoredProperties(restored.kept, createdAt);
      const unplaced = { ...fresh, ...withoutPool(kept), ...former };
      const zone = { ...unplaced, pool, serial: serialAbove(unplaced, found.formerSerial) };
      const contents = filling?.contents(zone, tx) ?? NO_CONTENTS;
      const by = changedBy(context, restored === undefined ? 'import' : 'restore');
      const state = restored && restoredState(restored);
      return changes.plan({ kind: 'creation', zone, contents, by, restored: state }, owners);
    });
    return { hides: readableHidden(access, context, found), ...planned };
  }

  /** Decides the next create, and adds it to the state if it is accepted. */
  function decidedAfter(
    tx: Transaction,
    { owners, accepted }: AcceptedState,
    wanted: ZoneCreateRequest,
    found: CreateFacts,
  ): Decision {
    const name = { name: wanted.draft.name, projectId: wanted.context.projectId };
    const owner = owners.get(name.projectId);
    if (owner === undefined) return { kind: 'held' };
    try {
      const conflicts = accepted.conflictsWith(name, found.conflicts);
      const planned = decided(tx, wanted, { ...found, conflicts }, owners);
      accepted.add(name);
      const notified = planned.thresholds?.notified ?? owner.notified;
      owners.set(name.projectId, { ...owner, zones: owner.zones + 1, notified });
      return { kind: 'planned', planned };
    } catch (error) {
      return { kind: 'refused', error };
    }
  }

  return {
    /**
     * Decides one create. All reads are pipelined. The lock on the name comes first, so that the others, including the
     * creation time, are read while the name is locked.
     */
    async alone(tx: Transaction, wanted: ZoneCreateRequest): Promise<AppliedCreation> {
      const [, owners, [found]] = await pipelined(
        tx.zones.lockName(wanted.draft.name),
        lockOwners(tx, wanted.context.projectId),
        findAll(tx, [wanted], access),
      );
      if (wanted.filling?.restored === undefined) return decided(tx, wanted, found!, owners);
      const namesakes = await tx.deletedZones.serialsOf(wanted.draft.name);
      const formerSerial = latestOf(found!.formerSerial, namesakes);
      return decided(tx, wanted, { ...found!, formerSerial }, owners);
    },

    /**
     * Decides several creates, each as if those before it had been committed: by the same rules, in the same order. It
     * never waits for a name, so it may lock the projects first.
     * @param waits true if all have the same project: waits for its lock; otherwise skips projects that are locked
     */
    async together(
      tx: Transaction,
      wanted: readonly ZoneCreateRequest[],
      waits: boolean,
    ): Promise<readonly Decision[]> {
      const projectIds = [...new Set(wanted.map(({ context }) => context.projectId))];
      const [locked, names, found] = await pipelined(
        waits ? lockOwners(tx, ...projectIds) : tx.projects.lockFree(projectIds),
        tx.zones.lockFreeNames([...new Set(wanted.map(({ draft }) => draft.name))]),
        findAll(tx, wanted, access),
      );
      const state: AcceptedState = { owners: new Map(locked), accepted: new AcceptedNames() };
      return wanted.map((one, place) =>
        names.has(one.draft.name) ? decidedAfter(tx, state, one, found[place]!) : { kind: 'held' },
      );
    },
  };
}
