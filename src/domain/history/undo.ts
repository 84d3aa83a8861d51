/** Undoes changes: each becomes changes of recordsets, which are decided and made as any others are. */
import type { OwnerName } from '../../dns/names.ts';
import type { ChangeOptions } from '../../model/changes/change-set.ts';
import type { ConditionalOptions, CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Door } from '../../model/history/change-source.ts';
import type { RecordsetEffect } from '../../model/history/past-change.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import type { ChangeRequest } from '../changes/change-request.ts';
import { type ChangeDeps, changeExecution, type MadeChange } from '../changes/execution.ts';
import { pathOfMissing } from '../changes/faults.ts';
import { type Intent, type Resolution, recordsOf } from '../changes/intents.ts';
import { knownChanges } from '../changes/wanted-changes.ts';
import { requirePrimary } from '../recordsets/own-recordset.ts';
import { getZone, requireStaying, requireVisible } from '../zones/visible-zone.ts';
import { changeLists } from './change-lists.ts';
import { changeNotFound, historyReader } from './kept-changes.ts';
import { effectsByKey, isSameState, type PastMoment, pastZone } from './past-zone.ts';
import { deadline, readUnchanged } from './unchanged-zone.ts';

export interface Restore {
  readonly moment: PastMoment;
  /** Only these names; undefined for the whole zone with its TTL. */
  readonly names?: readonly OwnerName[] | undefined;
}

type UndoOptions = ConditionalOptions & CreateOptions<MadeChange>;
type Undo = readonly [
  zoneId: string,
  door: Door,
  options: ChangeOptions,
  undoOptions: UndoOptions,
  find: (zone: Zone) => Promise<FormerState>,
];
type FormerState = Pick<ChangeRequest, 'properties' | 'version'> & { readonly intents: readonly Intent[] };

/** Undoing at a time, in all and for one project: each has changes of a zone in memory. Others wait, for a while. */
const UNDOING = { permits: 8, perOwner: 'half of the rest', pendingPerOwner: 16, waitMs: 10_000 } as const;

/** What makes a recordset as it was; undefined for none. */
function resolvedTo(former: Recordset | undefined): Extract<Resolution, { kind: 'resolved' }> {
  if (former === undefined) return { kind: 'resolved', after: undefined };
  const { ttl, description } = former;
  return { kind: 'resolved', after: { ...recordsOf(former), ttl, description } };
}

/** What has expired by `now` does not come back: what is there in its place stays. */
function intentTo(
  { name, type }: Pick<Recordset, 'name' | 'type'>,
  former: Recordset | undefined,
  now: string,
): Intent {
  const hasExpired = former?.expiresAt != null && former.expiresAt <= now;
  return {
    name,
    type,
    positions: [],
    mayCreate: former !== undefined && !hasExpired,
    former,
    resolve: (present) =>
      hasExpired ? resolvedTo(present) : { ...resolvedTo(former), givesRecords: former !== undefined },
  };
}

/** What takes an effect back, if the recordset is still as the change left it, or already as it was before. */
function opposite({ before, after }: RecordsetEffect, now: string): Intent {
  const intent = intentTo((after ?? before)!, before, now);
  return {
    ...intent,
    resolve(present) {
      if (isSameState(present, before)) return resolvedTo(present);
      if (isSameState(present, after)) return intent.resolve(present);
      const { name, type } = intent;
      const message = `The recordset ${name} ${type} is not as the change left it.`;
      const effect = before === undefined ? 'delete' : 'update';
      return {
        kind: 'refused',
        effect,
        wanted: null,
        faults: [{ kind: 'changed_since', message, path: pathOfMissing(name, type!) }],
      };
    },
  };
}

function bytesOf(intents: readonly Intent[]): number {
  return intents.reduce((sum, { former }) => sum + (former?.bytes ?? 0), 0);
}

function isStale(error: unknown): boolean {
  return error instanceof DomainError && error.details.isStale === true;
}

/** The use cases of undoing changes. */
export function undoUseCases(deps: ChangeDeps) {
  const { store, access, clock } = deps;
  const execute = changeExecution(deps);
  const lists = changeLists(deps);
  const running = new Semaphore(UNDOING);

  async function getOwn(context: RequestContext, zoneId: string): Promise<Zone> {
    return requireStaying(requirePrimary(await getZone(store, access, context, 'restore_zone', zoneId)));
  }

  /**
   * Makes the changes found; finds them again if the zone has changed meanwhile.
   * @throws DomainError also `too_many_reads`
   */
  async function make(context: RequestContext, ...undo: Undo): Promise<MadeChange> {
    const [zoneId, , { dryRun }] = undo;
    // No write, even if it is refused.
    if (dryRun) context.counted?.forget();
    await getOwn(context, zoneId);
    const release = await running.take(context.projectId);
    if (release === undefined) throw new DomainError('too_many_reads');
    try {
      return await attempt(context, ...undo);
    } finally {
      release();
    }
  }

  async function executeUnlessStale(...args: Parameters<typeof execute>): Promise<MadeChange | undefined> {
    try {
      return await execute(...args);
    } catch (error) {
      if (isStale(error)) return undefined;
      throw error;
    }
  }

  async function attempt(
    context: RequestContext,
    ...[zoneId, door, options, { precondition, ...createOptions }, find]: Undo
  ): Promise<MadeChange> {
    const until = deadline();
    do {
      const { intents, ...found } = await readUnchanged(() => getOwn(context, zoneId), find, until);
      const wanted = knownChanges(intents, bytesOf(intents));
      const request = {
        zoneId,
        rule: 'restore_zone',
        door,
        options,
        precondition,
        pathRoot: 'recordsets',
        wantedOf: async () => wanted,
        ...found,
      } as const;
      const made = await executeUnlessStale(context, request, createOptions);
      if (made !== undefined) return made;
    } while (performance.now() < until);
    throw new DomainError('slow_read');
  }

  return {
    /**
     * Makes a zone, or some of its names, what it was.
     * @throws DomainError `change_not_found` and the refusals of `changeExecution`
     */
    restore: (
      context: RequestContext,
      zoneId: string,
      { moment, names }: Restore,
      options: ChangeOptions,
      undoOptions: UndoOptions = {},
    ): Promise<MadeChange> => {
      const reader = historyReader(access, context);
      const walk = { reads: store.history, reader, turns: new TimeSlices(context.projectId) };
      const wanted = names && new Set(names);
      return make(context, zoneId, 'restore', options, undoOptions, async (zone) => {
        const past = await pastZone(zone, moment, walk);
        const intents = [...past.changed.values()]
          .filter(({ recordset }) => !recordset.managed && wanted?.has(recordset.name) !== false)
          .map(({ recordset, isThere }) => intentTo(recordset, isThere ? recordset : undefined, clock.now()));
        if (wanted === undefined && past.ttl !== zone.ttl)
          requireVisible(access, context, 'update_zone', zone);
        const properties = wanted === undefined ? { ttl: past.ttl } : undefined;
        return { intents, properties, version: zone.version };
      });
    },

    /**
     * Takes one change of recordsets back.
     * @throws DomainError `change_not_found`, `changed_since`, and the refusals of `changeExecution`
     */
    revert: (
      context: RequestContext,
      zoneId: string,
      changeId: string,
      options: ChangeOptions,
      undoOptions: UndoOptions = {},
    ): Promise<MadeChange> =>
      make(context, zoneId, 'revert', options, undoOptions, async (zone) => {
        const change = await lists.find(zone, historyReader(access, context), changeId);
        if (change === undefined || !change.isWhole) throw changeNotFound();
        const effects = await effectsByKey(change, new TimeSlices(context.projectId));
        const own = [...effects.values()].filter(({ before, after }) => !(after ?? before)!.managed);
        return { intents: own.map((effect) => opposite(effect, clock.now())) };
      }),
  };
}

export type UndoUseCases = ReturnType<typeof undoUseCases>;
