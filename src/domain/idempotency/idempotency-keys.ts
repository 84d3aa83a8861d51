import { type Clock, earlier } from '../../model/clock.ts';
import type { CreateOptions, Idempotency } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, isStorageFailure } from '../../model/errors.ts';
import {
  type KeyedRequest,
  responseBytes,
  type StoredResponse,
  type StoredResponseLimits,
  storedForm,
  storedKey,
} from '../../model/idempotency/idempotency-key.ts';
import type { Claimed } from '../../model/idempotency/store.ts';
import type { Store } from '../../model/store.ts';
import type { Log } from '../../runtime/log.ts';

/** Retention of an answer, in milliseconds. */
const KEPT_FOR = 24 * 3_600_000;
/** Number of creates with a key between two clean-ups. A clean-up can remove far more answers than that. */
const CREATES_BETWEEN_REMOVALS = 64;
const MAX_REMOVED = 1000;

/** The outcome of a request with a key: the stored answer, or a new result. */
export type KeyedOutcome<R> = { readonly kept: StoredResponse } | { readonly done: R };

/** True if the refusal may result from the same request having been answered meanwhile. */
function mayBeAnswered(error: unknown): boolean {
  return !isStorageFailure(error);
}

/**
 * Refuses to store an answer beyond a limit. Stored ones are never evicted: a retry of their requests would create
 * again.
 */
function requireCapacity(what: string, limit: number, needed: number): void {
  if (needed <= limit) return;
  throw new DomainError(
    'over_quota',
    `Quota exceeded for ${what}: the limit is ${limit}, and ${needed} would be needed. Responses are kept for 24 hours: retry later, or without an Idempotency-Key.`,
    { details: { quota: what, limit, needed } },
  );
}

export interface IdempotencyKeyDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Per project. */
  readonly limits: StoredResponseLimits;
}

/** The use cases that make requests with an idempotency key create only once. */
export function idempotencyKeyUseCases(deps: IdempotencyKeyDeps) {
  const { store, clock, log, limits } = deps;
  /** The keys in flight in this process. */
  const running = new Set<string>();
  let creates = 0;

  async function answerTo(key: string, hash: string): Promise<StoredResponse | undefined> {
    const found = await store.idempotencyKeys.find(key, earlier(clock.now(), KEPT_FOR));
    if (found !== undefined && found.bodyHash !== hash) throw new DomainError('idempotency_key_reused');
    return found?.answer;
  }

  function idempotencyUnder(
    claim: { key: string; projectId: string; bodyHash: string },
    isRepeatable: boolean,
  ): Idempotency<StoredResponse> {
    let claimed: Claimed;
    return {
      async begin(tx) {
        const createdAt = clock.now();
        const mine = await tx.idempotencyKeys.claim({ ...claim, createdAt }, earlier(createdAt, KEPT_FOR));
        if (mine === undefined) throw new DomainError('idempotency_key_running');
        requireCapacity('idempotency_keys', limits.responses, mine.kept.responses + 1);
        claimed = mine;
      },
      end(tx, answer) {
        if (answer === undefined) return tx.idempotencyKeys.release(claimed);
        const kept = storedForm(answer, isRepeatable);
        requireCapacity('idempotency_bytes', limits.bytes, claimed.kept.bytes + responseBytes(kept));
        tx.idempotencyKeys.keep(claimed, kept);
      },
    };
  }

  /** Removes expired answers in batches, oldest first. Best effort: a failure never fails the request. */
  async function removeExpired(): Promise<void> {
    creates = 0;
    try {
      const upTo = earlier(clock.now(), KEPT_FOR);
      await store.transaction(async (tx) => tx.idempotencyKeys.removeLater({ upTo }, MAX_REMOVED));
    } catch (error) {
      log.error({ err: error }, 'expired idempotency keys could not be removed');
    }
  }

  /** Runs the work unless another request in this process holds the key. */
  async function alone<R>(key: string, work: () => Promise<R>): Promise<R> {
    if (running.has(key)) throw new DomainError('idempotency_key_running');
    running.add(key);
    try {
      return await work();
    } finally {
      running.delete(key);
    }
  }

  async function createAlone<R>(key: string, create: () => Promise<R>): Promise<R> {
    const done = await alone(key, create);
    creates += 1;
    if (creates >= CREATES_BETWEEN_REMOVALS) await removeExpired();
    return done;
  }

  return {
    removeExpired,

    /**
     * Removes the answers of one project, or of all projects. Retries of those requests create again.
     * @returns the number of answers removed
     */
    async purge(_context: RequestContext, projectId?: string): Promise<number> {
      const which = { projectId, upTo: clock.now() };
      for (let purged = 0; ; ) {
        const removed = await store.transaction((tx) => tx.idempotencyKeys.remove(which, MAX_REMOVED));
        purged += removed;
        if (removed < MAX_REMOVED) return purged;
      }
    },

    /**
     * Replays the stored answer to the same request, or creates.
     * @throws DomainError `idempotency_key_reused` if the key was used with another body, `idempotency_key_running` if
     *   another request with the key has no answer yet, `over_quota` if no more answers can be stored, and any error of
     *   `create`
     */
    async run<R>(
      context: RequestContext,
      request: KeyedRequest,
      create: (options: CreateOptions<StoredResponse>) => Promise<R>,
    ): Promise<KeyedOutcome<R>> {
      const key = storedKey(context, request);
      const { bodyHash: hash } = request;
      const claim = { key, projectId: context.projectId, bodyHash: hash };
      const kept = await answerTo(key, hash);
      if (kept !== undefined) return { kept };
      try {
        return {
          done: await createAlone(key, () =>
            create({ idempotency: idempotencyUnder(claim, request.isRepeatable) }),
          ),
        };
      } catch (error) {
        const answered = mayBeAnswered(error) ? await answerTo(key, hash) : undefined;
        if (answered === undefined) throw error;
        return { kept: answered };
      }
    },
  };
}

export type IdempotencyKeyUseCases = ReturnType<typeof idempotencyKeyUseCases>;
