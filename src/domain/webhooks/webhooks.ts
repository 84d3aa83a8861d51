import type { Act } from '../acts/act.ts';
import type { Acts } from '../acts/acts.ts';
import type { Store } from '../store.ts';
import type { ListedWebhook, WebhookState } from './webhook.ts';

export interface WebhookDeps {
  readonly store: Pick<Store, 'events' | 'webhooks'>;
  readonly acts: Acts;
  /** The names that the configuration has. */
  readonly webhooks: readonly string[];
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
  };
}

/** Webhooks, for operators: where events are sent is configuration, how far they got is state. */
export function webhookUseCases({ store, acts, webhooks: configured }: WebhookDeps) {
  return {
    /** Those that are configured or were, by their names, each with the events that wait for it. */
    async list(): Promise<readonly ListedWebhook[]> {
      const states = await store.webhooks.all();
      // Read afterwards, so that no position is beyond it.
      const head = await store.events.head();
      const known = new Set(states.map(({ name }) => name));
      const added = configured.filter((name) => !known.has(name)).map((name) => unknown(name, head.position));
      const all = [...states, ...added].sort((one, other) => (one.name < other.name ? -1 : 1));
      return all.map((state) => ({
        ...state,
        waiting: Math.max(0, head.position - state.position),
        isConfigured: configured.includes(state.name),
      }));
    },

    /**
     * Lets a webhook go on that was stopped, with the event that comes after its position.
     * @returns whether it was stopped
     */
    resume(act: Act, name: string): Promise<boolean> {
      return acts.commit(act, async (tx, tell) => {
        const isResumed = await tx.webhooks.resume(name);
        if (isResumed) tell({ type: 'webhook.resumed', target: { kind: 'webhook', name } });
        return isResumed;
      });
    },
  };
}
