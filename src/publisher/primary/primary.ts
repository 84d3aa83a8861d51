import { type Clock, epochSeconds } from '../../model/clock.ts';
import type { ServerAddress } from '../../model/pools/pool.ts';
import type { PoolReads } from '../../model/pools/store.ts';
import type { PublicationReads } from '../../model/publication/store.ts';
import type { TsigKeyReads } from '../../model/tsig-keys/store.ts';
import type { Updates } from '../../model/updates/update.ts';
import type { Log } from '../../runtime/log.ts';
import { Answering } from './answering.ts';
import { TcpConnections } from './connections.ts';
import { KeyCache } from './key-cache.ts';
import { type DnsListener, listenOn } from './listener.ts';
import { type NoticeDeps, Notices } from './notices.ts';
import { PrimaryPoolCache } from './pool-cache.ts';
import { QueryAuthenticator } from './query-authenticator.ts';
import type { PrimarySettings } from './settings.ts';
import { OutgoingTransfers, type TransferDeps } from './transfers.ts';
import { UdpServer } from './udp-server.ts';
import { UpdateReceiver } from './updates.ts';

export interface PrimaryDeps extends TransferDeps, Pick<NoticeDeps, 'notified' | 'due'> {
  readonly publication: Pick<PublicationReads, 'served' | 'catalog' | 'atOneState'>;
  readonly pools: Pick<PoolReads, 'all'>;
  readonly tsigKeys: Pick<TsigKeyReads, 'findByName'>;
  readonly updates: Updates;
  readonly log: Log;
  readonly clock: Clock;
}

/** The hidden primary, from which name servers transfer zones. */
export interface Primary {
  /** The addresses it listens on, over UDP and TCP. */
  readonly addresses: readonly ServerAddress[];
  /** Closes all connections, and waits until nothing is reading from the store. */
  stop(): Promise<void>;
}

async function listenOnAll(
  doors: Parameters<typeof listenOn>[0],
  addresses: readonly ServerAddress[],
): Promise<DnsListener[]> {
  const listeners: DnsListener[] = [];
  try {
    for (const address of addresses) listeners.push(await listenOn(doors, address));
    return listeners;
  } catch (error) {
    for (const listener of listeners) listener.close();
    throw error;
  }
}

/**
 * Opens the hidden primary.
 * @throws the system's error if an address cannot be used
 */
export async function openPrimary(deps: PrimaryDeps, settings: PrimarySettings): Promise<Primary> {
  const seconds = () => epochSeconds(deps.clock.now());
  const pools = new PrimaryPoolCache(deps.pools, deps.log);
  const keys = new KeyCache(deps.tsigKeys, deps.log);
  const notices = new Notices({ ...deps, keys, now: seconds });
  const updates = settings.takesUpdates ? deps.updates : undefined;
  const receiver = updates && new UpdateReceiver({ ...deps, updates, keys, now: seconds }, settings);
  const doorkeeper = new QueryAuthenticator(settings.allowNetworks, {
    pools,
    keys,
    notices,
    updates: receiver,
    now: seconds,
  });
  const transfers = new OutgoingTransfers(deps, settings);
  const answering = new Answering({ ...deps, doorkeeper, transfers, updates });
  const connections = new TcpConnections(answering, settings, deps.log);
  const datagrams = new UdpServer(answering, settings.maxUdpQueries, deps.log);
  const listeners = await listenOnAll({ connections, datagrams }, settings.listen);
  return {
    addresses: listeners.map(({ address }) => address),
    async stop() {
      for (const listener of listeners) listener.close();
      await Promise.all([connections.close(), datagrams.close()]);
    },
  };
}
