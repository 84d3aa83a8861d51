import type { Store } from './ports.ts';
import { type Limits, limitsOf, type QuotaChanges } from './quota.ts';

/** The use cases of quotas; the same store serves the v1 extension and v2. */
export function quotaUseCases(deps: { store: Store; defaults: Limits }) {
  const { store, defaults } = deps;
  return {
    async get(projectId: string): Promise<Limits> {
      return limitsOf(await store.projects.state(projectId), defaults);
    },

    /** What a project uses, beside what it may use. */
    async usage(projectId: string): Promise<{ limits: Limits; usage: { zones: number } }> {
      const state = await store.projects.state(projectId);
      return { limits: limitsOf(state, defaults), usage: { zones: state.zones } };
    },

    /** Changes the keys given, all or none, and returns the full set after the change. */
    async set(projectId: string, changes: QuotaChanges): Promise<Limits> {
      const state = await store.transaction((tx) => tx.projects.setQuotas(projectId, changes));
      return limitsOf(state, defaults);
    },

    async reset(projectId: string): Promise<void> {
      await store.transaction((tx) => tx.projects.resetQuotas(projectId));
    },
  };
}

export type QuotaUseCases = ReturnType<typeof quotaUseCases>;
