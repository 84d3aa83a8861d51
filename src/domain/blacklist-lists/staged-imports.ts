import type { Forecast, ListTask } from '../../model/blacklist-lists/list-task.ts';
import type { PatternLanguage } from '../../model/blacklists/pattern-language.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { PatternFilter } from '../blacklists/many-names.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { type ForecastDeps, forecastOf } from './forecasts.ts';
import { type Incoming, listMissing, readIncoming, requireIncoming, requireListName } from './incoming.ts';
import { listUpkeep } from './list-upkeep.ts';
import { failureOf, LEASE, StagedChange, Stopping } from './staged-change.ts';

const DRY_RUN = 'Dry run: nothing was changed.';

export interface StagedImportDeps extends UseCaseDeps {
  readonly language: PatternLanguage;
  readonly log: Log;
  /** Creates an empty index. */
  readonly newFilter: () => PatternFilter;
}

/** True if the file is invalid. The task reports these faults. */
function isOfFile(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'invalid_object';
}

/** Publishes the staged change, or rolls it back. */
async function publish(change: StagedChange, context: RequestContext, sha256: string): Promise<void> {
  try {
    await change.publish(context, sha256);
  } catch (error) {
    await change.takeBack('ERROR', failureOf(error), sha256);
    throw error;
  }
  await change.sweep();
}

/** Predicts the result, and rolls the staged change back. */
async function tryOut(
  deps: ForecastDeps,
  change: StagedChange,
  context: RequestContext,
  sha256: string,
): Promise<void> {
  const tried = await forecastOf(deps, change.held, context.projectId).catch((error: unknown) => ({ error }));
  if ('error' in tried) {
    await change.takeBack('ERROR', failureOf(tried.error), sha256);
    throw tried.error;
  }
  const said = { message: DRY_RUN, faults: [], faultCount: 0, forecast: tried };
  await change.takeBack('COMPLETE', said, sha256);
}

/** The use cases of staged changes: nothing else waits for them, and they take effect in one short transaction. */
export function stagedImportUseCases(given: StagedImportDeps) {
  const stopping = new AbortController();
  const deps = { ...given, stopping: stopping.signal };
  const { store, access, language, log } = deps;
  const upkeep = listUpkeep(deps);
  const running = new Set<Promise<void>>();

  /** Continues in the background after the request has been answered. */
  function resume(work: () => Promise<void>, end: () => void): void {
    const one = work()
      .finally(end)
      .catch((err: unknown) => {
        if (!(err instanceof Stopping)) log.error({ err }, 'a blacklist import failed');
      })
      .finally(() => running.delete(one));
    running.add(one);
  }

  async function begin(
    context: RequestContext,
    kind: ListTask['kind'],
    list: string,
    options: CreateOptions<ListTask> = {},
  ) {
    await upkeep.endAbandoned();
    const begun = await StagedChange.begin(deps, context, { kind, list }, options);
    const timer = setInterval(() => void begun.change.keep().catch(() => {}), LEASE / 3).unref();
    return { ...begun, end: () => clearInterval(timer) };
  }

  /**
   * Reads and stages a file.
   * @returns its SHA-256
   */
  async function stageFile(change: StagedChange, incoming: Incoming): Promise<string> {
    const take = (drafts: Parameters<StagedChange['stage']>[0], lines: number) => change.stage(drafts, lines);
    const { sha256 } = await readIncoming(incoming, language, take);
    if (incoming.isSync) await change.release();
    return sha256;
  }

  async function present(task: ListTask): Promise<ListTask> {
    return (await store.blacklistLists.findTask(task.id)) ?? task;
  }

  return {
    /** Leaves work in progress to other processes, or to the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(running);
    },

    /** @throws DomainError `blacklist_import_not_found` */
    async get(context: RequestContext, id: string): Promise<ListTask> {
      access.require(context, 'get_blacklist_import', { projectId: context.projectId });
      const task = await store.blacklistLists.findTask(id);
      if (task === undefined) throw new DomainError('blacklist_import_not_found');
      return task;
    },

    /**
     * Stages a file as it arrives, and continues in the background. The task reports the faults of the file.
     * @returns the task after staging; its initial state if the answer is kept for an idempotency key
     * @throws DomainError `lists_busy`, `invalid_object` if the name of the list is invalid; any error of the body
     */
    async importFile(
      context: RequestContext,
      incoming: Incoming,
      isDryRun: boolean,
      options: CreateOptions<ListTask> = {},
    ): Promise<ListTask> {
      access.require(context, 'import_blacklists', { projectId: context.projectId });
      requireIncoming(incoming);
      const kind = incoming.isSync ? 'sync' : 'import';
      const { change, task, end } = await begin(context, kind, incoming.list, options);
      try {
        const sha256 = await stageFile(change, incoming);
        const rest = () =>
          isDryRun ? tryOut(deps, change, context, sha256) : publish(change, context, sha256);
        resume(rest, end);
      } catch (error) {
        resume(() => change.takeBack('ERROR', failureOf(error)), end);
        if (!isOfFile(error)) throw error;
      }
      return options.idempotency === undefined ? present(task) : task;
    },

    /**
     * Stages the removal of a list.
     * @throws DomainError `blacklist_list_not_found`, `lists_busy`
     */
    async removeList(context: RequestContext, name: string): Promise<ListTask> {
      access.require(context, 'delete_blacklist_list', { projectId: context.projectId });
      if ((await store.blacklistLists.find(name)) === undefined) throw listMissing();
      const { change, task, end } = await begin(context, 'remove', name);
      resume(async () => {
        await change.release();
        await publish(change, context, '');
      }, end);
      return task;
    },

    /** Predicts the result of an import or sync; changes nothing. */
    async forecast(
      context: RequestContext,
      incoming: Incoming,
    ): Promise<{ readonly task: ListTask; readonly forecast: Forecast }> {
      access.require(context, 'import_blacklists', { projectId: context.projectId });
      requireListName(incoming.list);
      const { change, task, end } = await begin(context, incoming.isSync ? 'sync' : 'import', incoming.list);
      try {
        await stageFile(change, incoming);
        const staged = await present(task);
        const forecast = await forecastOf(deps, change.held, context.projectId);
        return { task: staged, forecast };
      } finally {
        end();
        await change.takeBack('COMPLETE', { message: DRY_RUN, faults: [], faultCount: 0 });
      }
    },
  };
}

export type StagedImportUseCases = ReturnType<typeof stagedImportUseCases>;
