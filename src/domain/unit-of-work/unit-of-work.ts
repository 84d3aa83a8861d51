import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, isStorageFailure, waitedTooLong } from '../../model/errors.ts';
import type { Event, EventDraft, Target } from '../../model/event-types/event.ts';
import type { EventKeys } from '../../model/events/event-key.ts';
import { NothingWritten, type Store, type Transaction } from '../../model/store.ts';
import type { BatchOutcome } from '../../runtime/batcher.ts';
import { KeyedBatcher } from '../../runtime/keyed-batcher.ts';
import { recordOf } from '../events/event-record.ts';
import type { Events } from '../events/events.ts';
import { withQuotaAlerts } from '../events/quota-alerts.ts';
import type { RefusalReporter } from '../events/refusals.ts';
import { type RefusalContacts, withContact } from './contacts.ts';

/** The blacklists changed, or an entry expired, after the decision was made outside the transaction: decide again. */
export class StaleRevision extends Error {}

/** Reports an event. It is stored in the transaction, and published after the commit. */
export type Emit = (draft: EventDraft) => void;

/** Like `Emit`, for one of several requests. */
export type EmitFor = (context: RequestContext, draft: EventDraft) => void;

type TransactionWork<R> = (tx: Transaction, emit: Emit) => Promise<R>;
/** The result of work that returns no refusal. */
type WithoutRefusal<R> = Exclude<R, DomainError>;

/** Batches are small, so that the next one does not wait long. */
const BATCH = { batches: 1, items: 16, bytes: 262_144, patienceMs: 250, longestMs: 10_000 };

/** What a request waits for, and how much it writes. */
export interface BatchPlace {
  /** The resource that its work locks first. */
  readonly lockedResource: string;
  readonly bytes: number;
}

/** One of several requests in a transaction. None has an idempotency key. */
interface TransactionPart {
  readonly context: RequestContext;
  readonly work: TransactionWork<unknown>;
}

type PartEnd =
  | { readonly outcome: unknown; readonly made: readonly Event[] }
  | { readonly refusal: DomainError | StaleRevision };

/** A refusal fails its part alone; any other error fails the whole transaction. */
async function endOf(part: Promise<Exclude<PartEnd, { refusal: unknown }>>): Promise<PartEnd> {
  try {
    return await part;
  } catch (error) {
    const isRefusal = error instanceof DomainError || error instanceof StaleRevision;
    if (isRefusal && !isStorageFailure(error)) return { refusal: error };
    throw error;
  }
}

function outcomeOf(end: PartEnd): BatchOutcome<unknown> {
  if ('refusal' in end) return { kind: 'refused', error: end.refusal };
  const { outcome } = end;
  return outcome instanceof DomainError
    ? { kind: 'refused', error: outcome }
    : { kind: 'done', result: outcome };
}

/** Returns a function that runs work and publishes its refusal by a rule, if any. */
function attemptsReportedTo(refusals: RefusalReporter, contacts: RefusalContacts) {
  return async <R>(context: RequestContext, target: Target, work: () => Promise<R>): Promise<R> => {
    try {
      return await work();
    } catch (refusal) {
      const error = withContact(refusal, contacts);
      refusals.report(context, target, error);
      throw error;
    }
  };
}

/**
 * Runs the work as one transaction, and publishes the events that it returns. `NothingWritten` rolls back without an
 * error.
 */
async function published(
  { store, events }: { readonly store: Pick<Store, 'transaction'>; readonly events: Events },
  work: (tx: Transaction) => Promise<readonly Event[]>,
  projectId?: string,
): Promise<void> {
  let made: readonly Event[] = [];
  try {
    made = await store.transaction(work, projectId);
  } catch (error) {
    if (!(error instanceof NothingWritten)) throw error;
  }
  for (const event of made) events.publish(event);
}

/**
 * How use cases change the store: each change is one transaction with its events and, for an idempotency key, its
 * answer.
 */
export function unitOfWorkOver(deps: {
  readonly store: Pick<Store, 'transaction'>;
  readonly events: Events;
  readonly refusals: RefusalReporter;
  readonly keys: EventKeys;
  readonly contacts: RefusalContacts;
}) {
  const { store, events, refusals, keys, contacts } = deps;

  async function inTransaction<R>(
    context: RequestContext,
    tx: Transaction,
    work: TransactionWork<R>,
    { idempotency }: CreateOptions<WithoutRefusal<R>>,
  ) {
    const drafts: EventDraft[] = [];
    await idempotency?.begin(tx);
    const outcome = await work(tx, (draft) => void drafts.push(draft));
    idempotency?.end(tx, outcome instanceof DomainError ? undefined : (outcome as WithoutRefusal<R>));
    const made: readonly Event[] = drafts
      .flatMap(withQuotaAlerts)
      .map((draft) => events.make(context, draft));
    for (const event of made) tx.events.append(recordOf(event, keys.current()));
    return { outcome, made };
  }

  /**
   * Runs the work as one transaction with its events, and publishes the events after the commit. The work may run more
   * than once. A refusal that it returns is thrown after the commit; one that it throws rolls everything back.
   */
  async function commit<R>(
    context: RequestContext,
    work: TransactionWork<R>,
    options: CreateOptions<WithoutRefusal<R>> = {},
  ): Promise<WithoutRefusal<R>> {
    const { outcome, made } = await store.transaction(
      (tx) => inTransaction(context, tx, work, options),
      context.projectId,
    );
    for (const event of made) events.publish(event);
    if (outcome instanceof DomainError) throw outcome;
    return outcome as WithoutRefusal<R>;
  }

  /**
   * Runs work for several requests as one transaction, which commits all of them or none.
   * @param work receives a function that reports an event of one request; throws `NothingWritten` if there is nothing to
   *   commit
   */
  function commitTogether(work: (tx: Transaction, emit: EmitFor) => Promise<void>): Promise<void> {
    return published(deps, async (tx) => {
      const made: Event[] = [];
      await work(tx, (context, draft) => {
        for (const one of withQuotaAlerts(draft)) made.push(events.make(context, one));
      });
      if (made.length > 0) tx.events.append(...made.map((event) => recordOf(event, keys.current())));
      return made;
    });
  }

  /** Runs the work of several requests in one transaction; a refusal of one does not affect the others. */
  async function commitInParts(parts: readonly TransactionPart[]): Promise<readonly BatchOutcome<unknown>[]> {
    let ends: PartEnd[] = [];
    await published(
      deps,
      async (tx) => {
        ends = [];
        for (const { context, work } of parts)
          ends.push(await endOf(tx.savepoint(() => inTransaction(context, tx, work, {}))));
        if (ends.every((end) => 'refusal' in end)) throw new NothingWritten();
        return ends.flatMap((end) => ('made' in end ? end.made : []));
      },
      parts[0]?.context.projectId,
    );
    return ends.map(outcomeOf);
  }

  async function commitAll(parts: readonly TransactionPart[]): Promise<readonly BatchOutcome<unknown>[]> {
    const [first, ...others] = parts;
    if (others.length > 0) return commitInParts(parts);
    return [{ kind: 'done', result: await commit(first!.context, first!.work) }];
  }

  const lines = new KeyedBatcher<TransactionPart, unknown>(BATCH, {
    alone: ({ context, work }) => commit(context, work),
    together: commitAll,
    isForAll: isStorageFailure,
    overdue: waitedTooLong,
  });

  /**
   * Like `commit`, for work that starts by locking a resource: requests in this process that wait for the same lock share a
   * transaction. A request with an idempotency key gets its own.
   * @param line the resource locked, and the approximate number of bytes written
   */
  async function commitBatched<R>(
    context: RequestContext,
    line: BatchPlace,
    work: TransactionWork<R>,
    options: CreateOptions<WithoutRefusal<R>> = {},
  ): Promise<WithoutRefusal<R>> {
    if (options.idempotency !== undefined) return commit(context, work, options);
    const part = { context, work: work as TransactionWork<unknown> };
    return (await lines.add(line.lockedResource, context.projectId, part, line.bytes)) as WithoutRefusal<R>;
  }

  const attempt = attemptsReportedTo(refusals, contacts);
  return {
    commit,
    commitTogether,
    commitBatched,
    attempt,
    /** `attempt` around `commit`. */
    change: <R>(
      context: RequestContext,
      target: Target,
      work: TransactionWork<R>,
      options: CreateOptions<WithoutRefusal<R>> = {},
    ): Promise<WithoutRefusal<R>> => attempt(context, target, () => commit(context, work, options)),
  };
}

export type UnitOfWork = ReturnType<typeof unitOfWorkOver>;
