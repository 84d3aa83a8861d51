import { setTimeout as delay } from 'node:timers/promises';
import type { BlacklistList } from '../../model/blacklist-lists/blacklist-list.ts';
import type { LeftCounts } from '../../model/blacklist-lists/store.ts';
import type { Terms } from '../../model/blacklists/blacklist.ts';
import type { PatternLanguage } from '../../model/blacklists/pattern-language.ts';
import type { Clock } from '../../model/clock.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Target } from '../../model/event-types/event.ts';
import type { Transaction } from '../../model/store.ts';
import type { Log } from '../../runtime/log.ts';
import type { FileDraft } from '../blacklists/pattern-file.ts';
import { newStamp } from '../events/events.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { type ImportProgress, releaseAll, requireQuiet, storeAll } from './at-once.ts';
import {
  type Incoming,
  listMissing,
  type ReadPatternFile,
  readIncoming,
  requireIncoming,
} from './incoming.ts';
import { listUpkeep } from './list-upkeep.ts';

/**
 * Maximum time that a command waits for other changes to end, and the interval between two attempts, in milliseconds.
 */
const MAX_WAIT = 600_000;
const BETWEEN = 250;

export interface ListDeps extends UseCaseDeps {
  readonly language: PatternLanguage;
  readonly log: Log;
}

/** The result of importing a file. */
export interface FileImport extends LeftCounts, Pick<ReadPatternFile, 'warnings' | 'warningCount'> {
  readonly added: number;
  /** Patterns in the file that already existed, or occur twice in the file. */
  readonly present: number;
}

export function listTarget(name: string): Target {
  return { kind: 'blacklist', name: name || undefined };
}

const NOTHING_LEFT: LeftCounts = { released: 0, removed: 0 };

/** @throws DomainError `blacklist_list_not_found` */
async function getList(
  { blacklistLists }: { readonly blacklistLists: { find(name: string): Promise<BlacklistList | undefined> } },
  name: string,
): Promise<BlacklistList> {
  const list = await blacklistLists.find(name);
  if (list === undefined) throw listMissing();
  return list;
}

function isBusy(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'lists_busy';
}

/**
 * Runs the work once no change is staged.
 * @throws DomainError `lists_busy` after the maximum time
 */
async function patiently<T>(work: () => Promise<T>, endAbandoned: () => Promise<void>): Promise<T> {
  const until = performance.now() + MAX_WAIT;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
    }
    await endAbandoned();
    await delay(BETWEEN);
  }
}

/** Stores the entries of a file in the transaction. */
async function storeFile(
  clock: Clock,
  tx: Transaction,
  drafts: readonly FileDraft[],
  { list, isSync }: Pick<Incoming, 'list' | 'isSync'>,
  progress: ImportProgress,
) {
  await requireQuiet(tx);
  const stamp = newStamp(clock);
  const mark = await tx.blacklistLists.reserve(1);
  const added = await storeAll(tx, { drafts, list, mark, stamp, clock, progress });
  const left = isSync ? await releaseAll(tx, list, mark) : NOTHING_LEFT;
  const revision = await tx.blacklistLists.revision();
  return { stamp, added, present: drafts.length - added, left, revision };
}

/** The use cases of lists: queries, and changes in one transaction each. */
export function blacklistListUseCases(deps: ListDeps) {
  const { store, clock, access, unitOfWork, language } = deps;
  const upkeep = listUpkeep(deps);

  const whenQuiet = <T>(work: () => Promise<T>): Promise<T> => patiently(work, () => upkeep.endAbandoned());

  return {
    upkeep: upkeep.job,

    async all(context: RequestContext): Promise<readonly BlacklistList[]> {
      access.require(context, 'find_blacklist_lists', { projectId: context.projectId });
      return store.blacklistLists.all();
    },

    async get(context: RequestContext, name: string): Promise<BlacklistList> {
      access.require(context, 'get_blacklist_list', { projectId: context.projectId });
      return getList(store, name);
    },

    /**
     * Stores all patterns of a file or none, in one transaction. Existing entries are left unchanged. A sync also
     * releases the entries of the list that are not in the file.
     * @throws DomainError `invalid_object` with the faults of the file
     */
    async importNow(
      context: RequestContext,
      incoming: Incoming,
      progress: ImportProgress,
    ): Promise<FileImport> {
      access.require(context, 'create_blacklist', { projectId: context.projectId });
      requireIncoming(incoming);
      const { list, isSync } = incoming;
      const drafts: FileDraft[] = [];
      const { sha256, warnings, warningCount } = await readIncoming(incoming, language, async (some) => {
        for (const draft of some) drafts.push(draft);
      });
      const work = () =>
        unitOfWork.change(context, listTarget(list), async (tx, emit) => {
          const { stamp, added, present, left, revision } = await storeFile(
            clock,
            tx,
            drafts,
            incoming,
            progress,
          );
          if (list !== '') await tx.blacklistLists.put({ name: list, sha256, eventId: stamp.id }, stamp.time);
          const summary = {
            target: listTarget(list),
            stamp,
            added,
            present,
            list: list || null,
            sha256,
            revision,
          };
          emit(
            isSync
              ? { type: 'blacklists.synced', ...summary, ...left }
              : { type: 'blacklists.imported', ...summary },
          );
          return { added, present, ...left, warnings, warningCount };
        });
      return whenQuiet(work);
    },

    /** Removes a list, and the entries that nothing else holds, in one transaction. */
    async removeNow(context: RequestContext, name: string): Promise<LeftCounts> {
      access.require(context, 'delete_blacklist_list', { projectId: context.projectId });
      const work = () =>
        unitOfWork.change(context, listTarget(name), async (tx, emit) => {
          await requireQuiet(tx);
          await getList(tx, name);
          const left = await releaseAll(tx, name, await tx.blacklistLists.reserve(1));
          await tx.blacklistLists.remove(name);
          const revision = await tx.blacklistLists.revision();
          emit({ type: 'blacklists.list_removed', target: listTarget(name), list: name, ...left, revision });
          return left;
        });
      return whenQuiet(work);
    },

    /**
     * Changes the terms of all entries of a list in one transaction.
     * @param isPatient true to wait for other changes to end
     * @returns the list, and the number of entries whose terms differed
     * @throws DomainError `blacklist_list_not_found`, `lists_busy`
     */
    async setTerms(
      context: RequestContext,
      name: string,
      terms: Pick<Partial<Terms>, 'mode' | 'expiresAt'>,
      isPatient: boolean,
    ) {
      access.require(context, 'update_blacklist_list', { projectId: context.projectId });
      const work = () =>
        unitOfWork.change(context, listTarget(name), async (tx, emit) => {
          await requireQuiet(tx);
          const before = await getList(tx, name);
          const stamp = newStamp(clock);
          const changed = await tx.blacklistLists.setTerms(name, terms, stamp.time);
          const after = { ...before, eventId: stamp.id };
          const list = await tx.blacklistLists.put(after, stamp.time);
          const revision = await tx.blacklistLists.revision();
          const target = listTarget(name);
          emit({ type: 'blacklists.list_changed', target, stamp, list: name, terms, changed, revision });
          return { list, changed };
        });
      return isPatient ? whenQuiet(work) : work();
    },
  };
}

export type BlacklistListUseCases = ReturnType<typeof blacklistListUseCases>;
