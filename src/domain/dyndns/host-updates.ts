/** Gives hosts their present addresses, as dynamic DNS clients ask. */
import { type Fqdn, type OwnerName, parentsOf } from '../../dns/names.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, isStorageFailure } from '../../model/errors.ts';
import type { ZoneAtName } from '../../model/zones/store.ts';
import { groupBy } from '../../runtime/group-by.ts';
import { type ChangeDeps, changeExecution } from '../changes/execution.ts';
import { knownChanges } from '../changes/wanted-changes.ts';
import { addressIntents, type HostAddresses } from './address-intents.ts';

/** What became of a host. */
export type HostOutcome =
  | { readonly kind: 'changed' | 'unchanged' | 'no zone' }
  | { readonly kind: 'refused'; readonly error: DomainError };

export type HostOutcomes = ReadonlyMap<OwnerName, HostOutcome>;

/** The names that the zone of a host can have, longest first. */
function zoneNamesOf(host: OwnerName): readonly Fqdn[] {
  // No zone has the name of a wildcard, so that one is never found.
  return [host as Fqdn, ...parentsOf(host)];
}

/** Returns the function that finds the zone of a host: the one with the longest name. */
function zoneFinder(zones: readonly ZoneAtName[]) {
  const byName = new Map(zones.map((zone) => [zone.name, zone]));
  return (host: OwnerName): ZoneAtName | undefined => {
    const name = zoneNamesOf(host).find((one) => byName.has(one));
    return name && byName.get(name);
  };
}

function eachOf(hosts: readonly OwnerName[], outcome: HostOutcome): HostOutcomes {
  return new Map(hosts.map((host) => [host, outcome]));
}

function isOfStore(outcome: HostOutcome): boolean {
  return outcome.kind === 'refused' && isStorageFailure(outcome.error);
}

/** Dynamic updates of the addresses of hosts. */
export function hostUpdateUseCases(deps: ChangeDeps) {
  const { store } = deps;
  const execute = changeExecution(deps);

  async function change(
    context: RequestContext,
    { id: zoneId }: ZoneAtName,
    hosts: readonly OwnerName[],
    addresses: HostAddresses,
  ): Promise<HostOutcomes> {
    const intents = addressIntents(hosts, addresses);
    const bytes = intents.reduce((sum, { name }) => sum + name.length, 0);
    const { outcome } = await execute(context, {
      zoneId,
      rule: 'change_recordsets',
      door: 'dyndns',
      pathRoot: 'changes',
      options: { dryRun: false },
      wantedOf: async () => knownChanges(intents, bytes),
    });
    const changing = outcome.effects.filter(({ effect }) => effect !== 'unchanged');
    const changed = new Set(changing.map(({ name }) => name));
    return new Map(hosts.map((host) => [host, { kind: changed.has(host) ? 'changed' : 'unchanged' }]));
  }

  async function outcomesIn(
    context: RequestContext,
    zone: ZoneAtName | undefined,
    hosts: readonly OwnerName[],
    addresses: HostAddresses,
  ): Promise<HostOutcomes> {
    if (zone === undefined) return eachOf(hosts, { kind: 'no zone' });
    try {
      return await change(context, zone, hosts, addresses);
    } catch (error) {
      if (error instanceof DomainError) return eachOf(hosts, { kind: 'refused', error });
      throw error;
    }
  }

  return {
    /**
     * Gives each host these addresses, in one change for each zone, which is made whole or not at all. A host belongs to
     * the zone with the longest name among those that the caller sees.
     */
    async update(
      context: RequestContext,
      hosts: readonly OwnerName[],
      addresses: HostAddresses,
    ): Promise<HostOutcomes> {
      const names = new Set(hosts.flatMap(zoneNamesOf));
      const zoneOf = zoneFinder(await store.zones.seenAmong([...names], context.scope));
      const outcomes = new Map<OwnerName, HostOutcome>();
      for (const [zone, own] of groupBy(new Set(hosts), zoneOf)) {
        // Each attempt on a store that has failed may wait for seconds.
        const failure = [...outcomes.values()].find(isOfStore);
        const found = failure ? eachOf(own, failure) : await outcomesIn(context, zone, own, addresses);
        for (const [host, outcome] of found) outcomes.set(host, outcome);
      }
      return outcomes;
    },
  };
}

export type HostUpdateUseCases = ReturnType<typeof hostUpdateUseCases>;
