import type { RequestContext } from '../../model/context/request-context.ts';
import type { Store } from '../../model/store.ts';
import type { ListedWebhook, Skipped, WebhookState } from '../../model/webhooks/webhook.ts';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts';

/** A receiver that the configuration has. */
export interface ConfiguredWebhook {
  readonly name: string;
  /** What it is sent, with `*` for any text. */
  readonly types: readonly string[];
}

export interface WebhookDeps {
  readonly store: Pick<Store, 'events' | 'webhooks'>;
  readonly unitOfWork: UnitOfWork;
  /** Those that the configuration has. */
  readonly webhooks: readonly ConfiguredWebhook[];
}

function unknown(name: string, position: number): WebhookState {
  return {
    name,
    position,
    isStopped: false,
    failingSince: '',
    lastError: '',
    lastErrorAt: '',
    deliveredAt: '',
    skipTo: 0,
  };
}

/** Webhooks, for operators: where events are sent is configuration, how far they got is state. */
export function webhookUseCases({ store, unitOfWork, webhooks: configured }: WebhookDeps) {
  /** The next thing that the webhook is sent. Only one that fails has something to be passed over: else it was taken meanwhile. */
  async function skippedOf(state: WebhookState): Promise<Skipped | undefined> {
    const { name, position, skipTo, isStopped, failingSince } = state;
    const receiver = configured.find((one) => one.name === name);
    if (receiver === undefined || (!isStopped && failingSince === '')) return undefined;
    const { position: upTo, removed } = await store.events.head();
    const missing = Math.max(removed.position, skipTo);
    const from = position + 1;
    if (missing > position) return { from, to: missing, isTold: false };
    const { types } = receiver;
    const [event] = await store.webhooks.events({ after: position, upTo, types, limit: 1 });
    return event && { from, to: event.position, isTold: true };
  }

  return {
    /** Those that are configured or were, by their names, each with the events that wait for it. */
    async list(): Promise<readonly ListedWebhook[]> {
      const states = await store.webhooks.all();
      // Read afterwards, so that no position is beyond it.
      const head = await store.events.head();
      const known = new Set(states.map(({ name }) => name));
      const added = configured
        .filter(({ name }) => !known.has(name))
        .map(({ name }) => unknown(name, head.position));
      const all = [...states, ...added].sort((one, other) => (one.name < other.name ? -1 : 1));
      return all.map((state) => ({
        ...state,
        waiting: Math.max(0, head.position - state.position),
        isConfigured: configured.some(({ name }) => name === state.name),
      }));
    },

    /**
     * Lets a webhook go on that was stopped, with the event that comes after its position.
     * @returns whether it was stopped
     */
    resume(context: RequestContext, name: string): Promise<boolean> {
      return unitOfWork.commit(context, async (tx, emit) => {
        const isResumed = await tx.webhooks.resume(name);
        if (isResumed) emit({ type: 'webhook.resumed', target: { kind: 'webhook', name } });
        return isResumed;
      });
    },

    /**
     * Passes over what a configured webhook does not take, and lets it go on: of an event it is told a gap; a gap that it does
     * not take, either, is not told again.
     * @returns what was passed over; undefined if the webhook does not fail, is not known, or has nothing to be sent
     */
    skip(context: RequestContext, name: string): Promise<Skipped | undefined> {
      return unitOfWork.commit(context, async (tx, emit) => {
        const state = await tx.webhooks.lock(name);
        const skipped = state && (await skippedOf(state));
        if (skipped === undefined) return undefined;
        const { from, to, isTold } = skipped;
        tx.webhooks.skip(name, isTold ? { position: from - 1, skipTo: to } : { position: to, skipTo: 0 });
        emit({ type: 'webhook.skipped', target: { kind: 'webhook', name }, ...skipped });
        return skipped;
      });
    },

    /**
     * Forgets a webhook that the configuration does not have.
     * @returns whether it was known
     */
    forget(context: RequestContext, name: string): Promise<boolean> {
      return unitOfWork.commit(context, async (tx, emit) => {
        const state = await tx.webhooks.lock(name);
        if (state === undefined) return false;
        tx.webhooks.forget(name);
        emit({ type: 'webhook.forgotten', target: { kind: 'webhook', name }, position: state.position });
        return true;
      });
    },
  };
}
