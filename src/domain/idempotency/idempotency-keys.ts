import type { Act } from '../acts/act.ts';
import { type Clock, earlier } from '../clock.ts';
import { DomainError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store.ts';
import { type KeptAnswer, type KeyedRequest, storedKey } from './idempotency-key.ts';
import type { Once } from './once.ts';

/** How long an answer is kept, in milliseconds. */
const KEPT_FOR = 24 * 3_600_000;
/** The number of creates with a key between two clean-ups. Each clean-up can remove far more answers than that. */
const CREATES_BETWEEN_REMOVALS = 64;
const MOST_REMOVED = 1000;

/** The outcome of a request with a key: the stored answer, or a new result. */
export type KeyedOutcome<R> = { readonly kept: KeptAnswer } | { readonly done: R };

/** Whether the same request, answered meanwhile, may have caused the refusal. */
function mayBeAnswered(error: unknown): boolean {
  return !(error instanceof DomainError && error.kind === 'storage_unavailable');
}

/** What makes requests with an idempotency key create once. */
export function idempotencyKeyUseCases(deps: { store: Store; clock: Clock; log: Log }) {
  const { store, clock, log } = deps;
  /** The keys in flight in this process. */
  const running = new Set<string>();
  let creates = 0;

  async function answerTo(key: string, hash: string): Promise<KeptAnswer | undefined> {
    const found = await store.idempotencyKeys.find(key, earlier(clock.now(), KEPT_FOR));
    if (found !== undefined && found.bodyHash !== hash) throw new DomainError('idempotency_key_reused');
    return found?.answer;
  }

  function onceUnder(key: string, hash: string): Once<KeptAnswer> {
    return {
      async begin(tx) {
        const createdAt = clock.now();
        const claim = { key, bodyHash: hash, createdAt };
        const isMine = await tx.idempotencyKeys.claim(claim, earlier(createdAt, KEPT_FOR));
        if (!isMine) throw new DomainError('idempotency_key_running');
      },
      end: (tx, answer) =>
        answer === undefined ? tx.idempotencyKeys.release(key) : tx.idempotencyKeys.keep(key, answer),
    };
  }

  /** Removes expired answers in batches, the oldest first. Best effort: no request fails because of it. */
  async function removeExpired(): Promise<void> {
    creates = 0;
    try {
      const upTo = earlier(clock.now(), KEPT_FOR);
      await store.transaction(async (tx) => tx.idempotencyKeys.removeExpired(upTo, MOST_REMOVED));
    } catch (error) {
      log.error({ err: error }, 'expired idempotency keys could not be removed');
    }
  }

  /** Runs the work while no other request of this process has the key. */
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
     * Replays the stored answer of the same request, or lets it create.
     * @throws DomainError `idempotency_key_reused` after one with another body, `idempotency_key_running` beside one
     *   that has no answer yet, and what `create` throws
     */
    async run<R>(
      act: Act,
      request: KeyedRequest,
      create: (act: Act<KeptAnswer>) => Promise<R>,
    ): Promise<KeyedOutcome<R>> {
      const key = storedKey(act, request);
      const { bodyHash: hash } = request;
      const kept = await answerTo(key, hash);
      if (kept !== undefined) return { kept };
      try {
        return { done: await createAlone(key, () => create({ ...act, once: onceUnder(key, hash) })) };
      } catch (error) {
        const answered = mayBeAnswered(error) ? await answerTo(key, hash) : undefined;
        if (answered === undefined) throw error;
        return { kept: answered };
      }
    },
  };
}

export type IdempotencyKeyUseCases = ReturnType<typeof idempotencyKeyUseCases>;
