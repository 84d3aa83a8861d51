import type { ServerAddress } from '../../model/pools/pool.ts';

/** Addresses and limits of the hidden primary. Times are in milliseconds. */
export interface PrimarySettings {
  /** Addresses for both UDP and TCP; port 0 picks a free one for both. */
  readonly listen: readonly ServerAddress[];
  /** IP addresses and CIDR blocks that are answered without a key. */
  readonly allowNetworks: readonly string[];
  /** Maximum UDP queries in progress; more are dropped. */
  readonly maxUdpQueries: number;
  /** Whether it takes UPDATE messages. */
  readonly takesUpdates: boolean;
  /** Maximum UPDATE messages with wrong signatures from one address. */
  readonly failedSignaturesPerSecond: number;
  /** Maximum open TCP connections, in total and per address. */
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  /** Time a connection may stay idle. */
  readonly idleMs: number;
  /** Time for one query to arrive after its first octets. */
  readonly messageMs: number;
  /** Maximum transfers in progress, in total and per server, and maximum transfers that wait. */
  readonly maxTransfers: number;
  readonly maxTransfersPerServer: number;
  readonly maxWaitingTransfers: number;
  /** Time a transfer waits for its place before it is refused. */
  readonly transferWaitMs: number;
  /** Maximum duration of a transfer. */
  readonly maxTransferMs: number;
  /** Minimum rate at which a client must read, in octets per second, averaged over a window. */
  readonly minTransferRate: number;
  readonly rateWindowMs: number;
}
