/** Adopts the resources of another service, in the order of their dependencies. */
import type { RequestContext } from '../../model/context/request-context.ts';
import { inOrder } from './in-order.ts';
import { adoptOtherResources, type OtherResourcesDeps } from './other-resources.ts';
import type { AdoptionOutcome } from './outcome.ts';
import { readZone, type ZoneBounds } from './read-zone.ts';
import { secondaryAdoption } from './secondary-adoption.ts';
import type { AdoptionSource, Given, SourceZone } from './source.ts';
import type { SourceZoneState } from './source-zone-state.ts';
import type { WantedSecondary } from './wanted-secondary.ts';
import { type AdoptionMode, type ZoneAdoptionDeps, zoneAdoption } from './zone-adoption.ts';
import { zonesOnlyHere } from './zones-only-here.ts';

export interface AdoptionOptions {
  readonly mode: AdoptionMode;
  /** Number of zones read concurrently. */
  readonly atOnce: number;
  /** Projects whose limits are adopted even if they have no zone. */
  readonly projects: readonly string[];
}

export interface AdoptionDeps extends ZoneAdoptionDeps, OtherResourcesDeps, ZoneBounds {}

/** The id of a zone that exists at the source; null if it is being deleted there, or unknown. */
function idAtSource(one: SourceZoneState | WantedSecondary | AdoptionOutcome): string | null {
  if ('zone' in one) return one.zone.id;
  return one.outcome === 'left out' ? null : one.id;
}

export function adoptionUseCases(deps: AdoptionDeps) {
  const { store, access } = deps;
  const beside = adoptOtherResources(deps);
  const adoptPrimary = zoneAdoption(deps);
  const adoptSecondary = secondaryAdoption(deps);

  function adoptZone(context: RequestContext, wanted: SourceZoneState | WantedSecondary, mode: AdoptionMode) {
    return 'masters' in wanted ? adoptSecondary(context, wanted, mode) : adoptPrimary(context, wanted, mode);
  }

  async function* zones(
    context: RequestContext,
    source: AdoptionSource,
    { mode, atOnce, projects }: AdoptionOptions,
    seen: Set<string>,
  ): AsyncGenerator<AdoptionOutcome, void> {
    const known = new Set<string>();
    async function* quotasOnce(...projectIds: readonly string[]): AsyncGenerator<AdoptionOutcome, void> {
      for (const projectId of projectIds.filter((one) => !known.has(one))) {
        known.add(projectId);
        yield await beside.quotas(context, source, projectId, mode);
      }
    }
    yield* quotasOnce(...projects);
    const read = (given: Given<SourceZone>) => readZone(source, given, deps);
    for await (const one of inOrder(source.zones(), atOnce, read)) {
      const id = idAtSource(one);
      if (id !== null) seen.add(id);
      if ('zone' in one) {
        yield* quotasOnce(one.zone.projectId);
        yield* await adoptZone(context, one, mode);
      } else yield one;
    }
  }

  async function* run(
    context: RequestContext,
    source: AdoptionSource,
    options: AdoptionOptions,
    seen: Set<string>,
  ): AsyncGenerator<AdoptionOutcome, void> {
    access.require(context, 'all_tenants', {});
    yield* beside.before(context, source, options.mode);
    yield* zones(context, source, options, seen);
    yield* beside.after(context, source, options.mode);
  }

  return {
    /**
     * Adopts everything, with a transaction for each resource. Existing resources are left unchanged unless the mode
     * says otherwise, so it can be rerun at any time.
     * @throws SourceTrouble Resources adopted until then are kept
     */
    run: (
      context: RequestContext,
      source: AdoptionSource,
      options: AdoptionOptions,
    ): AsyncGenerator<AdoptionOutcome, void> => run(context, source, options, new Set()),

    /** Reads everything again and reports the differences, including zones that exist only here. */
    async *compare(
      context: RequestContext,
      source: AdoptionSource,
      options: Omit<AdoptionOptions, 'mode'>,
    ): AsyncGenerator<AdoptionOutcome, void> {
      const seen = new Set<string>();
      yield* run(context, source, { ...options, mode: 'look' }, seen);
      yield* zonesOnlyHere(store.zones, context, seen);
    },
  };
}
