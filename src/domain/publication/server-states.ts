import { type Fqdn, parseListedName } from '../../dns/names.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import { formatAddress, type Pool, type ServerAddress } from '../../model/pools/pool.ts';
import { formerOrderId, type Order } from '../../model/publication/publication.ts';
import type { SecondaryState } from '../../model/secondaries/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { getZone } from '../zones/visible-zone.ts';
import { publicationAdvice } from './advice.ts';

const PAGE = 500;
const NOT_ASKED = 'Not checked yet.';

/** The state of a zone on one server of a pool. */
export interface ServerState extends ServerAddress {
  /** The actual and the expected serial; null for none. */
  readonly serial: number | null;
  readonly expectedSerial: number | null;
  /** Start of the current state or failure; null if the server has not been queried. */
  readonly since: string | null;
  /** Why the server is out of date, as a sentence; null if it is not. */
  readonly fault: string | null;
}

export interface OrderState {
  readonly order: Order;
  readonly servers: readonly ServerState[];
}

/** The publication state of a zone. */
export interface ZonePublication {
  readonly zone: Zone;
  /** Undefined for a zone whose pool has no name servers. */
  readonly order: Order | undefined;
  /** Why the zone is in ERROR, as a sentence; '' if it is not. */
  readonly error: string;
  readonly servers: readonly ServerState[];
  /**
   * What to do if name servers refuse the zone because they have a later serial, or its masters have an earlier one.
   */
  readonly advice: string | undefined;
  /** Only for a secondary zone. Its `fault` is the text that the caller may read. */
  readonly secondary: SecondaryState | undefined;
  /** True if the caller may see the addresses of servers. */
  readonly showsAddresses: boolean;
}

function stateOf(server: ServerAddress, order: Order): ServerState {
  const expectedSerial = order.isRemoval ? null : order.serial;
  const answer = order.servers.find((one) => formatAddress(one) === formatAddress(server));
  if (answer === undefined) return { ...server, serial: null, expectedSerial, since: null, fault: NOT_ASKED };
  return { ...answer, expectedSerial };
}

function statesOf(order: Order | undefined, pool: Pool | undefined): readonly ServerState[] {
  if (order === undefined) return [];
  return (pool?.nameservers ?? []).map((server) => stateOf(server, order));
}

/** The servers of the zone's pool and, during a move, those of the other pool. */
function serversOf(own: Order | undefined, former: Order | undefined, pools: readonly Pool[]) {
  const poolOf = (id: string | undefined) => pools.find((pool) => pool.id === id);
  const states = [own, former].flatMap((order) => statesOf(order, poolOf(order?.poolId)));
  const known = new Set(states.map(formatAddress));
  const awaited = (poolOf(own?.move?.poolId)?.nameservers ?? []).filter(
    (server) => !known.has(formatAddress(server)),
  );
  const nothing = { serial: null, since: null, fault: NOT_ASKED };
  return [...states, ...awaited.map((one) => ({ ...one, ...nothing, expectedSerial: own!.serial }))];
}

/** True if another pool may have the zone, too. */
const mayHaveFormer = ({ movesTo, action }: Zone): boolean => movesTo !== null || action === 'DELETE';

const withCause = (state: SecondaryState): SecondaryState => ({ ...state, fault: state.cause });

/** True if the order is pending, or a server is out of date. */
function isUnsettled({ order, servers }: OrderState): boolean {
  return order.pendingSince !== '' || order.error !== '' || servers.some(({ fault }) => fault !== null);
}

/** The use cases of server states: queries, and manual republication. */
export function serverStateUseCases({ store, access, clock }: Omit<UseCaseDeps, 'unitOfWork'>) {
  async function zoneNamed({ scope, caller }: RequestContext, name: Fqdn): Promise<Zone | undefined> {
    const query = { filters: { name }, sortKey: 'created_at', sortDir: 'asc', limit: 1 } as const;
    return (await store.zones.list(query, scope, caller.projectId)).items[0];
  }

  return {
    async find(context: RequestContext, zoneId: string): Promise<ZonePublication> {
      const zone = await getZone(store, access, context, 'get_zone_publication', zoneId);
      const isAdministrator = access.allows(context, 'get_pool', { projectId: context.projectId });
      const order = await store.publications.find(zone.id);
      const former = mayHaveFormer(zone) ? await store.publications.find(formerOrderId(zone.id)) : undefined;
      const pools = order === undefined ? [] : await store.pools.all();
      const error = order?.error || former?.error || '';
      const state = zone.type === 'SECONDARY' ? await store.secondaries.find(zone.id) : undefined;
      const secondary = state && (isAdministrator ? withCause(state) : state);
      const servers = serversOf(order, former, pools);
      const advice = publicationAdvice({ zone, order, pools, servers, secondary });
      return { zone, order, error, servers, advice, secondary, showsAddresses: isAdministrator };
    },

    /**
     * Finds a zone by id or name.
     * @throws DomainError `zone_not_found`
     */
    async findZone(context: RequestContext, text: string): Promise<Zone> {
      const byId = await store.zones.find(text.toLowerCase(), context.scope);
      if (byId !== undefined) return byId;
      const name = parseListedName(text);
      const zone = name.ok ? await zoneNamed(context, name.value) : undefined;
      if (zone === undefined) throw new DomainError('zone_not_found', `The zone ${text} does not exist.`);
      return zone;
    },

    /** Streams every order that is pending or has a fault, pool by pool. */
    async *unsettled(context: RequestContext): AsyncGenerator<OrderState, void> {
      access.require(context, 'find_pools', { projectId: context.projectId });
      for (const pool of await store.pools.all()) {
        for (let after = ''; ; ) {
          const orders = await store.publications.page(pool.id, after, PAGE);
          yield* orders.map((order) => ({ order, servers: statesOf(order, pool) })).filter(isUnsettled);
          if (orders.length < PAGE) break;
          after = orders.at(-1)!.zoneId;
        }
      }
    },

    /**
     * Republishes a zone.
     * @returns false if its pool has no name servers
     */
    async again(context: RequestContext, zone: Zone): Promise<boolean> {
      access.require(context, 'update_pool', { projectId: context.projectId });
      if ((await store.publications.find(zone.id)) === undefined) return false;
      await store.transaction(async (tx) =>
        tx.publications.orderAnew([zone.id, formerOrderId(zone.id)], clock.now()),
      );
      return true;
    },
  };
}

export type ServerStateUseCases = ReturnType<typeof serverStateUseCases>;
