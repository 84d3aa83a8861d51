import { type ConditionalOptions, requirePrecondition } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { EventDraft } from '../../model/event-types/event.ts';
import { type MeasuredLimits, type Percentages, percentagesOf } from '../../model/quotas/percentages.ts';
import {
  type Limits,
  limitsOf,
  type ProjectState,
  QUOTA_KEYS,
  type QuotaChanges,
} from '../../model/quotas/quota.ts';
import type { LimitedProject } from '../../model/quotas/store.ts';
import type { Transaction } from '../../model/store.ts';
import type { FullestZone } from '../../model/zones/zone.ts';
import { projectTarget } from '../events/quota-alerts.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { quotaAlertsOf } from './limit-alerts.ts';
import { type ProjectDirectory, requireKnownProject } from './project-directory.ts';

export interface Usage {
  readonly limits: Limits;
  readonly usage: { readonly zones: number; readonly recordsets: number };
  /** The zone with the most records, if any. */
  readonly fullest: FullestZone | undefined;
  /** The largest zone, if any. */
  readonly largest: FullestZone | undefined;
  /** Maximum size of a zone, in bytes. */
  readonly maxZoneSize: number;
  readonly percentages: Percentages;
}

/** Resets every limit to its default. */
const DEFAULTS: QuotaChanges = Object.fromEntries(QUOTA_KEYS.map((key) => [key, null]));

interface ChangedLimits {
  readonly before: Limits;
  readonly after: Limits;
  readonly alerts: readonly EventDraft[];
}

/** The use cases of quotas; the same store serves the v1 extension and v2. */
export function quotaUseCases(
  deps: UseCaseDeps & {
    readonly defaults: Limits;
    readonly maxZoneSize: number;
    /** If set, limits can only be set for projects it knows. */
    readonly projects?: ProjectDirectory | undefined;
  },
) {
  const { store, access, unitOfWork, defaults, maxZoneSize, projects } = deps;

  /**
   * Changes the limits of a project, and returns the quota alerts that this causes.
   * @throws DomainError `precondition_failed`
   */
  async function changeLimits(
    tx: Transaction,
    options: ConditionalOptions,
    projectId: string,
    change: () => Promise<ProjectState>,
  ): Promise<ChangedLimits> {
    // Zones are locked before their project.
    const fullest = await tx.zones.lockFullest(projectId);
    const state = await tx.projects.lock(projectId);
    const before = limitsOf(state, defaults);
    requirePrecondition(options, before);
    const after = limitsOf(await change(), defaults);
    return { before, after, alerts: quotaAlertsOf(tx, projectId, { state, fullest, before, after }) };
  }

  return {
    async get(context: RequestContext, projectId: string, options: ConditionalOptions = {}): Promise<Limits> {
      access.require(context, 'get_quotas', { projectId });
      const limits = limitsOf(await store.projects.state(projectId), defaults);
      requirePrecondition(options, limits);
      return limits;
    },

    /** The configured limits of projects without their own. */
    defaults(context: RequestContext): MeasuredLimits {
      access.require(context, 'get_usage', { projectId: context.projectId });
      return { ...defaults, max_zone_size: maxZoneSize };
    },

    /**
     * A project's usage and limits, and its zones with the most records and bytes. Requires the right to list its
     * zones.
     */
    async usage(context: RequestContext, projectId: string): Promise<Usage> {
      access.require(context, 'get_quotas', { projectId });
      access.require(context, 'find_zones', { projectId });
      const state = await store.projects.state(projectId);
      const { zones, recordsets } = state;
      const limits = limitsOf(state, defaults);
      const fullest = await store.zones.fullest(projectId, 'records');
      const largest = await store.zones.fullest(projectId, 'bytes');
      const used = {
        zones,
        zone_recordsets: await store.zones.maxRecordsets(projectId),
        zone_records: fullest?.records ?? 0,
        max_zone_size: largest?.bytes ?? 0,
      };
      const percentages = percentagesOf(used, { ...limits, max_zone_size: maxZoneSize });
      return { limits, usage: { zones, recordsets }, fullest, largest, maxZoneSize, percentages };
    },

    /** Streams every project with limits of its own, with its usage, a page at a time. */
    limited(context: RequestContext): AsyncIterable<readonly LimitedProject[]> {
      access.require(context, 'get_usage', { projectId: context.projectId });
      return store.projects.limited();
    },

    /**
     * Changes the given limits, all or none.
     * @returns the full set after the change
     * @throws DomainError `unknown_project`, `identity_unavailable`
     */
    async set(
      context: RequestContext,
      projectId: string,
      changes: QuotaChanges,
      options: ConditionalOptions = {},
    ): Promise<Limits> {
      access.require(context, 'set_quota', { projectId });
      if (projects !== undefined) await requireKnownProject(projects, projectId);
      return unitOfWork.change(context, projectTarget(projectId), async (tx, emit) => {
        const set = () => tx.projects.setQuotas(projectId, changes);
        const { alerts, ...limits } = await changeLimits(tx, options, projectId, set);
        emit({ type: 'quotas.changed', target: projectTarget(projectId), changes, ...limits });
        for (const eventDraft of alerts) emit(eventDraft);
        return limits.after;
      });
    },

    async reset(context: RequestContext, projectId: string, options: ConditionalOptions = {}): Promise<void> {
      access.require(context, 'reset_quotas', { projectId });
      await unitOfWork.change(context, projectTarget(projectId), async (tx, emit) => {
        const reset = () => tx.projects.setQuotas(projectId, DEFAULTS);
        const { alerts, ...limits } = await changeLimits(tx, options, projectId, reset);
        emit({ type: 'quotas.reset', target: projectTarget(projectId), ...limits });
        for (const eventDraft of alerts) emit(eventDraft);
      });
    },
  };
}

export type QuotaUseCases = ReturnType<typeof quotaUseCases>;
