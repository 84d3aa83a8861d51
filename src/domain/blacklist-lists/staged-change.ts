/** Stages a change of lists in short transactions, so that nothing else waits for it. */
import { randomUUID } from 'node:crypto';
import type {
  HeldTask,
  ListTask,
  ListTaskCounts,
  ListTaskKind,
} from '../../model/blacklist-lists/list-task.ts';
import { type RemovalProgress, START } from '../../model/blacklist-lists/store.ts';
import { type Clock, later } from '../../model/clock.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { EventDraft, Target } from '../../model/event-types/event.ts';
import type { Store, Transaction } from '../../model/store.ts';
import type { FileDraft } from '../blacklists/pattern-file.ts';
import { newStamp } from '../events/events.ts';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts';
import { BATCH, entriesOf } from './incoming.ts';

/** Time until other processes may take over a task whose process has died, in milliseconds. */
export const LEASE = 30_000;
/** Numbers reserved at a time. Each reservation makes creates in flight check their names again. */
const NUMBERS = 20_000;
/** Rows removed in one transaction. */
const SWEPT = 1000;

/** The process is stopping; others finish the work. */
export class Stopping extends Error {}

export interface StagedDeps {
  /** Aborts the work on staged changes. */
  readonly stopping?: AbortSignal;
  readonly store: Store;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
}

type TaskFailure = Pick<ListTask, 'message' | 'faults' | 'faultCount'> & Partial<Pick<ListTask, 'forecast'>>;

/** The number of faults. If a file has too many, only the first are listed. */
function countOf({ details, faults }: DomainError): number {
  return typeof details.faults === 'number' ? details.faults : faults.length;
}

export function failureOf(error: unknown): TaskFailure {
  if (error instanceof DomainError)
    return { message: error.message, faults: error.faults, faultCount: countOf(error) };
  return { message: 'Internal error. Nothing was changed.', faults: [], faultCount: 0 };
}

export class StagedChange {
  readonly #deps: StagedDeps;
  readonly #held: HeldTask;
  readonly #kind: ListTaskKind;
  readonly #counts = { released: 0 };
  #next = 0;
  #end = 0;

  constructor(deps: StagedDeps, held: HeldTask, kind: ListTaskKind) {
    this.#deps = deps;
    this.#held = held;
    this.#kind = kind;
  }

  /** @throws DomainError `lists_busy` while another change is in progress */
  static async begin(
    deps: StagedDeps,
    context: RequestContext,
    { kind, list }: Pick<ListTask, 'kind' | 'list'>,
    options: CreateOptions<ListTask>,
  ): Promise<{ readonly change: StagedChange; readonly task: ListTask }> {
    const { unitOfWork, clock } = deps;
    const createdAt = clock.now();
    const holder = randomUUID();
    const { projectId } = context;
    let number = 0;
    const task = await unitOfWork.commit(
      context,
      async ({ blacklistLists }): Promise<ListTask> => {
        if ((await blacklistLists.lock()).length > 0) throw new DomainError('lists_busy');
        number = await blacklistLists.reserve(1);
        const begun: ListTask = { ...NEW_TASK, id: randomUUID(), kind, list, projectId, createdAt };
        await blacklistLists.insertTask(begun, { number, holder, list }, later(createdAt, LEASE));
        return begun;
      },
      options,
    );
    return { change: new StagedChange(deps, { number, holder, list }, kind), task };
  }

  get held(): HeldTask {
    return this.#held;
  }

  /** Renews the lease, so that no other process ends the change. */
  async keep(): Promise<void> {
    await this.#deps.store.transaction((tx) => this.#advance(tx, {}));
  }

  /** Stages the next entries of the file. */
  async stage(drafts: readonly FileDraft[], lines: number): Promise<void> {
    if (this.#end - this.#next < drafts.length) await this.#takeNumbers();
    const { number, list } = this.#held;
    const staging = { task: number, list, mark: number, first: this.#next, eventId: '' };
    this.#next += drafts.length;
    const entries = entriesOf(drafts, this.#deps.clock);
    await this.#deps.store.transaction(async (tx) => {
      const { added, kept } = await tx.blacklistLists.stage(staging, entries);
      await this.#advance(tx, { lines, added, kept, present: drafts.length - added });
    });
  }

  /** Stages the release of the list's entries that are not in the file. */
  async release(): Promise<void> {
    const { number, list } = this.#held;
    for (let page = { after: '', limit: BATCH }; ; ) {
      this.#requireTime();
      const { released, last } = await this.#deps.store.transaction(async (tx) => {
        const left = await tx.blacklistLists.release(list, number, number, page);
        await this.#advance(tx, { removed: left.removed });
        return left;
      });
      if (released === 0) return;
      this.#counts.released += released;
      page = { ...page, after: last };
    }
  }

  /** Publishes the staged change with one event. It takes effect with the commit. */
  async publish(context: RequestContext, sha256: string): Promise<void> {
    const { clock, unitOfWork } = this.#deps;
    const target: Target = { kind: 'blacklist', name: this.#held.list || undefined };
    await unitOfWork.commit(context, async (tx, emit) => {
      const stamp = newStamp(clock);
      const task = await tx.blacklistLists.publish(this.#held, stamp, sha256);
      if (this.#kind === 'remove') await tx.blacklistLists.remove(task.list);
      else if (task.list !== '')
        await tx.blacklistLists.put({ name: task.list, sha256, eventId: stamp.id }, stamp.time);
      emit({ ...this.#draft(task), target, stamp });
    });
  }

  #draft({ added, present, removed, list, sha256, revision }: ListTask): EventDraft {
    const target: Target = { kind: 'blacklist' };
    const { released } = this.#counts;
    if (this.#kind === 'remove')
      return { type: 'blacklists.list_removed', target, list, removed, released, revision };
    const imported = { added, present, list: list || null, sha256, revision };
    return this.#kind === 'sync'
      ? { type: 'blacklists.synced', target, ...imported, removed, released }
      : { type: 'blacklists.imported', target, ...imported };
  }

  /** Deletes the removed entries after they are published. */
  async sweep(): Promise<void> {
    await this.#inParts((tx, place) => tx.blacklistLists.sweepTask(this.#held, place, SWEPT, this.#until()));
    await this.#finish('COMPLETE');
  }

  /**
   * Rolls back the staged change. If the store says that it was published, finishes it instead: the response to the
   * commit may have been lost, or the process may have published after its lease expired.
   */
  async takeBack(status: 'COMPLETE' | 'ERROR', failure: TaskFailure, sha256 = ''): Promise<void> {
    const { store, clock } = this.#deps;
    const hasFailed = await store.transaction((tx) =>
      tx.blacklistLists.fail(this.#held, { forecast: null, ...failure, sha256 }, clock.now()),
    );
    if (!hasFailed) return this.sweep();
    await this.#inParts((tx, place) => tx.blacklistLists.takeBack(this.#held, place, SWEPT, this.#until()));
    await this.#finish(status);
  }

  async #finish(status: 'COMPLETE' | 'ERROR'): Promise<void> {
    const { store, clock } = this.#deps;
    await store.transaction((tx) => tx.blacklistLists.endTask(this.#held, status, clock.now()));
  }

  async #inParts(
    part: (tx: Transaction, place: RemovalProgress) => Promise<RemovalProgress | undefined>,
  ): Promise<void> {
    for (let place: RemovalProgress | undefined = START; place !== undefined; ) {
      this.#requireTime();
      const from: RemovalProgress = place;
      place = await this.#deps.store.transaction((tx) => part(tx, from));
    }
  }

  #requireTime(): void {
    if (this.#deps.stopping?.aborted) throw new Stopping('The process is stopping.');
  }

  #until(): string {
    return later(this.#deps.clock.now(), LEASE);
  }

  async #takeNumbers(): Promise<void> {
    await this.#deps.store.transaction(async (tx) => {
      const first = await tx.blacklistLists.reserve(NUMBERS);
      await tx.blacklistLists.widen(this.#held, first, first + NUMBERS - 1);
      this.#next = first;
      this.#end = first + NUMBERS;
    });
  }

  async #advance(tx: Transaction, more: Partial<ListTaskCounts>): Promise<void> {
    const now = this.#deps.clock.now();
    if (!(await tx.blacklistLists.advance(this.#held, more, this.#until(), now)))
      throw new DomainError('lists_busy', 'The import took too long and was ended by another process.');
  }
}

const NEW_TASK: Omit<ListTask, 'id' | 'kind' | 'list' | 'projectId' | 'createdAt'> = {
  status: 'ACTIVE',
  message: null,
  faults: [],
  faultCount: 0,
  sha256: '',
  eventId: '',
  updatedAt: null,
  revision: 0,
  forecast: null,
  lines: 0,
  added: 0,
  present: 0,
  kept: 0,
  removed: 0,
};
