import type { Fqdn } from '../../dns/names.ts';
import type { Act } from '../acts/act.ts';
import type { PatternFilter } from '../blacklists/many-names.ts';
import { formsOf } from '../blacklists/name-index.ts';
import type { PatternLanguage } from '../blacklists/pattern-language.ts';
import { DomainError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { UseCaseDeps } from '../use-case.ts';
import type { VerificationReads } from '../verification/stored.ts';
import { yieldTurn } from '../yield.ts';
import {
  BATCH,
  type Incoming,
  listMissing,
  readIncoming,
  requireIncoming,
  requireListName,
} from './incoming.ts';
import type { HeldTask, ListTask } from './list-task.ts';
import { listUpkeep } from './list-upkeep.ts';
import { failureOf, LEASE, StagedChange, Stopping } from './staged-change.ts';

/** Patterns and zones that a dry run names. */
const MOST_SHOWN = 100;
const DRY_RUN = 'A dry run: nothing was changed.';

export interface StagedImportDeps extends UseCaseDeps {
  readonly language: PatternLanguage;
  readonly log: Log;
  /** An index without patterns. */
  readonly newFilter: () => PatternFilter;
}

/** What a sync or an import would do. */
export interface Forecast {
  /** The first patterns that would come, and go. */
  readonly coming: readonly string[];
  readonly going: readonly string[];
  /** The first existing zones whose name a pattern that would come matches, or may match, and how many there are. */
  readonly zones: readonly string[];
  readonly zoneCount: number;
}

/** What is staged while a change is under way. */
async function* patternsOf(deps: StagedImportDeps, held: HeldTask, which: 'arrives' | 'leaves') {
  for (let after = 0; ; ) {
    const batch = await deps.store.blacklistLists.staged(held, which, after, BATCH);
    yield* batch;
    if (batch.length < BATCH) return;
    after = batch.at(-1)!.number;
  }
}

async function firstOf(deps: StagedImportDeps, held: HeldTask, which: 'arrives' | 'leaves') {
  const { store } = deps;
  return (await store.blacklistLists.staged(held, which, 0, MOST_SHOWN)).map(({ pattern }) => pattern);
}

/** Every zone name, a page at a time. */
async function* zoneNames(reads: VerificationReads): AsyncGenerator<Fqdn, void> {
  let page = await reads.zonesInTreeOrder(undefined);
  while (page.length > 0) {
    yield* page.map(({ name }) => name);
    await yieldTurn();
    page = await reads.zonesInTreeOrder(page.at(-1)!);
  }
}

/** The existing zones that a pattern matches which would come. */
async function hitZones(deps: StagedImportDeps, held: HeldTask, projectId: string) {
  const filter = deps.newFilter();
  const zones: string[] = [];
  let zoneCount = 0;
  const look = async (name: Fqdn): Promise<void> => {
    if ((await filter.check(formsOf(name), projectId)).kind === 'free') return;
    zoneCount += 1;
    if (zones.length < MOST_SHOWN) zones.push(name);
  };
  try {
    for await (const { number, pattern } of patternsOf(deps, held, 'arrives'))
      filter.add(number, pattern, { enforced: true, conditional: false });
    await deps.store.snapshot(async (reads) => {
      for await (const name of zoneNames(reads)) await look(name);
    });
  } finally {
    await filter.close();
  }
  return { zones, zoneCount };
}

/** The use cases of what is staged: nothing else waits for it, and it is seen from one short transaction on. */
export function stagedImportUseCases(given: StagedImportDeps) {
  const stopping = new AbortController();
  const deps = { ...given, stopping: stopping.signal };
  const { store, access, language, log } = deps;
  const upkeep = listUpkeep(deps);
  const running = new Set<Promise<void>>();

  /** Runs on after its request has been answered. */
  function goOn(work: () => Promise<void>, end: () => void): void {
    const one = work()
      .finally(end)
      .catch((err: unknown) => {
        if (!(err instanceof Stopping)) log.error({ err }, 'an import of blacklists has failed');
      })
      .finally(() => running.delete(one));
    running.add(one);
  }

  async function begin(act: Act<ListTask>, kind: ListTask['kind'], list: string) {
    await upkeep.endAbandoned();
    const begun = await StagedChange.begin(deps, act, kind, list);
    const timer = setInterval(() => void begun.change.keep().catch(() => {}), LEASE / 3).unref();
    return { ...begun, end: () => clearInterval(timer) };
  }

  /** Reads and stages a file; returns its SHA-256. */
  async function stageFile(change: StagedChange, incoming: Incoming): Promise<string> {
    const take = (drafts: Parameters<StagedChange['stage']>[0], lines: number) => change.stage(drafts, lines);
    const { sha256 } = await readIncoming(incoming, language, take);
    if (incoming.isSync) await change.release();
    return sha256;
  }

  async function present(task: ListTask): Promise<ListTask> {
    return (await store.blacklistLists.findTask(task.id)) ?? task;
  }

  async function publish(change: StagedChange, act: Act, sha256: string): Promise<void> {
    try {
      await change.publish(act, sha256);
    } catch (error) {
      await change.takeBack('ERROR', failureOf(error), sha256);
      throw error;
    }
    await change.sweep();
  }

  return {
    /** Leaves what is under way to other processes, or to the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(running);
    },

    /** @throws DomainError `blacklist_import_not_found` */
    async get(act: Act, id: string): Promise<ListTask> {
      access.require(act, 'get_blacklist_import', { projectId: act.projectId });
      const task = await store.blacklistLists.findTask(id);
      if (task === undefined) throw new DomainError('blacklist_import_not_found');
      return task;
    },

    /**
     * Stages a file as it arrives, and goes on when it is there. The faults of the file are those of the task.
     * @returns the task as it is by then; as it began where that answer is kept
     * @throws DomainError `lists_busy`, `invalid_object` where the list has no valid name; what the body throws
     */
    async importFile(asked: Act<ListTask>, incoming: Incoming, isDryRun: boolean): Promise<ListTask> {
      const act: Act = { ...asked, once: undefined };
      access.require(act, 'import_blacklists', { projectId: act.projectId });
      requireIncoming(incoming);
      const { change, task, end } = await begin(asked, incoming.isSync ? 'sync' : 'import', incoming.list);
      try {
        const sha256 = await stageFile(change, incoming);
        const failure = { message: DRY_RUN, faults: [], faultCount: 0 };
        const rest = () =>
          isDryRun ? change.takeBack('COMPLETE', failure, sha256) : publish(change, act, sha256);
        goOn(rest, end);
      } catch (error) {
        goOn(() => change.takeBack('ERROR', failureOf(error)), end);
        if (!(error instanceof DomainError && error.kind === 'invalid_object')) throw error;
      }
      return asked.once === undefined ? present(task) : task;
    },

    /** Stages that a list goes. @throws DomainError `blacklist_list_not_found`, `lists_busy` */
    async removeList(act: Act, name: string): Promise<ListTask> {
      access.require(act, 'delete_blacklist_list', { projectId: act.projectId });
      if ((await store.blacklistLists.find(name)) === undefined) throw listMissing();
      const { change, task, end } = await begin(act, 'remove', name);
      goOn(async () => {
        await change.release();
        await publish(change, act, '');
      }, end);
      return task;
    },

    /** What an import or a sync would do; it changes nothing. */
    async forecast(
      act: Act,
      incoming: Incoming,
    ): Promise<{ readonly task: ListTask; readonly forecast: Forecast }> {
      access.require(act, 'import_blacklists', { projectId: act.projectId });
      requireListName(incoming.list);
      const { change, task, end } = await begin(act, incoming.isSync ? 'sync' : 'import', incoming.list);
      try {
        await stageFile(change, incoming);
        const staged = await present(task);
        const coming = await firstOf(deps, change.held, 'arrives');
        const going = await firstOf(deps, change.held, 'leaves');
        const forecast = { coming, going, ...(await hitZones(deps, change.held, act.projectId)) };
        return { task: staged, forecast };
      } finally {
        end();
        await change.takeBack('COMPLETE', { message: DRY_RUN, faults: [], faultCount: 0 });
      }
    },
  };
}

export type StagedImportUseCases = ReturnType<typeof stagedImportUseCases>;
