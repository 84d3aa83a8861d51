import type { RequestContext } from '../../model/context/request-context.ts';
import type { Store } from '../../model/store.ts';
import type { ListedWebhook, Skipped, WebhookState } from '../../model/webhooks/webhook.ts';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts';

/** A configured receiver. */
export interface ConfiguredWebhook {
  readonly name: string;
  /** The types of the events it is sent, with `*` for any text. */
  readonly types: readonly string[];
}

export interface WebhookDeps {
  readonly store: Pick<Store, 'events' | 'webhooks'>;
  readonly unitOfWork: UnitOfWork;
  /** The configured receivers. */
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

/** Webhooks, for operators. Receivers are configuration, their progress is state. */
export function webhookUseCases({ store, unitOfWork, webhooks: configured }: WebhookDeps) {
  /** The next event or gap for the webhook. Only a failing webhook has one to skip: any other has accepted it by now. */
  async function skippedOf(state: WebhookState): Promise<Skipped | undefined> {
    const { name, position, skipTo, isStopped, failingSince } = state;
    const receiver = configured.find((one) => one.name === name);
    if (receiver === undefined || (!isStopped && failingSince === '')) return undefined;
    const { position: upTo, removed } = await store.events.head();
    const missing = Math.max(removed.position, skipTo);
    const from = position + 1;
    if (missing > position) return { from, to: missing, hasGapNotice: false };
    const { types } = receiver;
    const [event] = await store.webhooks.events({ after: position, upTo, types, limit: 1 });
    return event && { from, to: event.position, hasGapNotice: true };
  }

  return {
    /** Present and former webhooks, by name, each with the number of events that wait for it. */
    async list(): Promise<readonly ListedWebhook[]> {
      const states = await store.webhooks.all();
      // Read last, so that no position is beyond it.
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
     * Resumes a stopped webhook with the event after its position.
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
     * Skips the event or gap that a configured webhook does not accept, and resumes the webhook. A skipped event is reported as a gap; a
     * skipped gap is not reported again.
     * @returns what was skipped; undefined if the webhook does not fail, is unknown, or has nothing to send
     */
    skip(context: RequestContext, name: string): Promise<Skipped | undefined> {
      return unitOfWork.commit(context, async (tx, emit) => {
        const state = await tx.webhooks.lock(name);
        const skipped = state && (await skippedOf(state));
        if (skipped === undefined) return undefined;
        const { from, to, hasGapNotice } = skipped;
        tx.webhooks.skip(
          name,
          hasGapNotice ? { position: from - 1, skipTo: to } : { position: to, skipTo: 0 },
        );
        emit({ type: 'webhook.skipped', target: { kind: 'webhook', name }, ...skipped });
        return skipped;
      });
    },

    /**
     * Deletes the state of a webhook that is no longer configured.
     * @returns whether there was any
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
