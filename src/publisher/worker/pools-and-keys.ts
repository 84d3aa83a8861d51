import type { TsigSecret as WireKey } from '../../dns/wire/tsig.ts';
import { formatAddress, type Pool, publishes, type ServerAddress } from '../../model/pools/pool.ts';
import { opensPool, type TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import { wireKeyOf } from '../../model/tsig-keys/wire-key.ts';
import type { WorkerDeps } from './deps.ts';

/** A recent snapshot of the pools and keys. */
export interface PoolsAndKeys {
  /** Pools that publish, by id. */
  readonly pools: ReadonlyMap<string, Pool>;
  /** Changes whenever the pools do. */
  readonly mark: string;
  /**
   * The keys of a pool's servers.
   * @param common the name of the key of servers without one of their own
   * @throws MissingKey if one of the keys is missing, or not the pool's
   */
  keysOf(pool: Pick<Pool, 'id' | 'nameservers'>, common: string | null): ServerKeys;
}

/** Returns the key for messages to a server; undefined if they are not signed. */
export type ServerKeys = (server: ServerAddress) => WireKey | undefined;

/** A pool names a key that does not exist or does not belong to it. */
export class MissingKey extends Error {
  constructor() {
    super(
      'The TSIG key of the pool does not exist. Create it with POST /v2/tsigkeys, scope POOL and the id of the pool.',
    );
  }
}

const bare = (name: string): string => name.toLowerCase().replace(/\.$/, '');

function directoryOf(all: readonly Pool[], tsigKeys: readonly TsigKey[]): PoolsAndKeys {
  const pools = all.filter(publishes);
  const keys = new Map(tsigKeys.map((key) => [bare(key.name), key]));
  const wireKeys = new Map<string, WireKey>();
  function keyOf(poolId: string, name: string | null): WireKey | undefined {
    if (name === null) return undefined;
    const label = bare(name);
    const key = keys.get(label);
    if (key === undefined || !opensPool(key, poolId)) throw new MissingKey();
    const known = wireKeys.get(label);
    if (known !== undefined) return known;
    const made = wireKeyOf({ ...key, name: label });
    wireKeys.set(label, made);
    return made;
  }
  return {
    pools: new Map(pools.map((pool) => [pool.id, pool])),
    mark: JSON.stringify(
      all.map(({ id, nameservers, threshold, catalogZone, updatedAt }) => [
        id,
        nameservers,
        threshold,
        catalogZone,
        updatedAt,
      ]),
    ),
    keysOf({ id, nameservers }, common) {
      const ofCommon = keyOf(id, common);
      const own = new Map(
        nameservers.flatMap((server) =>
          server.tsigKey === undefined ? [] : [[formatAddress(server), keyOf(id, server.tsigKey)] as const],
        ),
      );
      return (server) => own.get(formatAddress(server)) ?? ofCommon;
    },
  };
}

/** Reads pools and keys, and caches them briefly. */
export class PoolsAndKeysCache {
  readonly #deps: Pick<WorkerDeps, 'pools' | 'tsigKeys'>;
  readonly #age: number;
  #last: PoolsAndKeys | undefined;
  #readAt = 0;

  /** @param age lifetime of the cache, in milliseconds */
  constructor(deps: Pick<WorkerDeps, 'pools' | 'tsigKeys'>, age: number) {
    this.#deps = deps;
    this.#age = age;
  }

  /**
   * @param notBefore they are read again if that was earlier, in milliseconds of `performance.now`
   * @throws anything the store throws
   */
  async current(notBefore = performance.now() - this.#age): Promise<PoolsAndKeys> {
    if (this.#last !== undefined && this.#readAt >= notBefore) return this.#last;
    const readAt = performance.now();
    const [pools, keys] = await Promise.all([this.#deps.pools.all(), this.#deps.tsigKeys.ofPools()]);
    this.#last = directoryOf(pools, keys);
    this.#readAt = readAt;
    return this.#last;
  }
}
