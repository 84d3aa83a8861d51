import type { Store } from '../store.ts';
import type { FullestZone } from '../zones/zone.ts';
import { type Limits, limitsOf, type QuotaChanges } from './quota.ts';

export interface Usage {
  readonly limits: Limits;
  readonly usage: { readonly zones: number; readonly recordsets: number };
  /** The zone with the most records, where there is any. */
  readonly fullest: FullestZone | undefined;
}

/** The use cases of quotas; the same store serves the v1 extension and v2. */
export function quotaUseCases(deps: { store: Store; defaults: Limits }) {
  const { store, defaults } = deps;
  return {
    async get(projectId: string): Promise<Limits> {
      return limitsOf(await store.projects.state(projectId), defaults);
    },

    /** What a project uses, beside what it may use, and its zone that holds the most. */
    async usage(projectId: string): Promise<Usage> {
      const { zones, recordsets, overrides } = await store.projects.state(projectId);
      const limits = limitsOf({ zones, recordsets, overrides }, defaults);
      return { limits, usage: { zones, recordsets }, fullest: await store.zones.fullest(projectId) };
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
