import { type Act, requirePrecondition } from '../acts/act.ts';
import type { Target } from '../events/event.ts';
import type { Transaction } from '../store.ts';
import type { UseCaseDeps } from '../use-case.ts';
import type { FullestZone } from '../zones/zone.ts';
import { type Percentages, percentagesOf } from './percentages.ts';
import { type ProjectDirectory, requireKnownProject } from './project-directory.ts';
import { type Limits, limitsOf, type QuotaChanges } from './quota.ts';
import type { LimitedProject } from './store.ts';

export interface Usage {
  readonly limits: Limits;
  readonly usage: { readonly zones: number; readonly recordsets: number };
  /** The zone with the most records, if any. */
  readonly fullest: FullestZone | undefined;
  /** The zone with the greatest size, if any. */
  readonly largest: FullestZone | undefined;
  /** The greatest size that a zone can have, in bytes. */
  readonly maxZoneSize: number;
  readonly percentages: Percentages;
}

function targetOf(projectId: string): Target {
  return { kind: 'project', id: projectId };
}

/** The use cases of quotas; the same store serves the v1 extension and v2. */
export function quotaUseCases(
  deps: UseCaseDeps & {
    readonly defaults: Limits;
    readonly maxZoneSize: number;
    /** If set, limits are set only for projects that it knows. */
    readonly projects?: ProjectDirectory | undefined;
  },
) {
  const { store, access, acts, defaults, maxZoneSize, projects } = deps;

  /** Locks the limits of a project, where something is required of them. @throws DomainError `precondition_failed` */
  async function lockLimits(tx: Transaction, act: Act, projectId: string): Promise<void> {
    if (act.precondition === undefined) return;
    requirePrecondition(act, limitsOf(await tx.projects.lock(projectId), defaults));
  }

  return {
    async get(act: Act, projectId: string): Promise<Limits> {
      access.require(act, 'get_quotas', { projectId });
      const limits = limitsOf(await store.projects.state(projectId), defaults);
      requirePrecondition(act, limits);
      return limits;
    },

    /** The usage of a project, its limits, and its zones with the most records and bytes, for those who may see its zones. */
    async usage(act: Act, projectId: string): Promise<Usage> {
      access.require(act, 'get_quotas', { projectId });
      access.require(act, 'find_zones', { projectId });
      const state = await store.projects.state(projectId);
      const { zones, recordsets } = state;
      const limits = limitsOf(state, defaults);
      const fullest = await store.zones.fullest(projectId, 'records');
      const largest = await store.zones.fullest(projectId, 'bytes');
      const used = {
        zones,
        zone_recordsets: await store.zones.mostRecordsets(projectId),
        zone_records: fullest?.records ?? 0,
        max_zone_size: largest?.bytes ?? 0,
      };
      const percentages = percentagesOf(used, { ...limits, max_zone_size: maxZoneSize });
      return { limits, usage: { zones, recordsets }, fullest, largest, maxZoneSize, percentages };
    },

    /** Every project with limits of its own, and what it uses, a page of the store at a time. */
    limited(act: Act): AsyncIterable<readonly LimitedProject[]> {
      access.require(act, 'get_usage', { projectId: act.projectId });
      return store.projects.limited();
    },

    /**
     * Changes the keys given, all or none, and returns the full set after the change.
     * @throws DomainError `unknown_project`, `identity_unavailable`
     */
    async set(act: Act, projectId: string, changes: QuotaChanges): Promise<Limits> {
      access.require(act, 'set_quota', { projectId });
      if (projects !== undefined) await requireKnownProject(projects, projectId);
      return acts.change(act, targetOf(projectId), async (tx, tell) => {
        await lockLimits(tx, act, projectId);
        const after = limitsOf(await tx.projects.setQuotas(projectId, changes), defaults);
        tell({ type: 'quotas.changed', target: targetOf(projectId), changes, after });
        return after;
      });
    },

    async reset(act: Act, projectId: string): Promise<void> {
      access.require(act, 'reset_quotas', { projectId });
      await acts.change(act, targetOf(projectId), async (tx, tell) => {
        await lockLimits(tx, act, projectId);
        tx.projects.resetQuotas(projectId);
        tell({ type: 'quotas.reset', target: targetOf(projectId), after: defaults });
      });
    },
  };
}

export type QuotaUseCases = ReturnType<typeof quotaUseCases>;
