import type { ServerAddress } from '../../model/pools/pool.ts';

/** How the hidden primary answers, and how much of everything it holds at once. Times are in milliseconds. */
export interface PrimarySettings {
  /** UDP and TCP each; port 0 takes a free one, the same for both. */
  readonly listen: readonly ServerAddress[];
  /** IP addresses and CIDR blocks that are answered without a key. */
  readonly allowNetworks: readonly string[];
  /** UDP questions that are being answered; further ones are dropped. */
  readonly maxUdpQueries: number;
  /** Open TCP connections, in all and of one address. */
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  /** How long a connection stays open without a question. */
  readonly idleMs: number;
  /** How long one question may take to arrive once it has begun. */
  readonly messageMs: number;
  /** Transfers that run, in all and to one server, and those that wait. */
  readonly maxTransfers: number;
  readonly maxTransfersPerServer: number;
  readonly maxWaitingTransfers: number;
  /** How long a transfer waits for its place before it is refused. */
  readonly transferWaitMs: number;
  /** How long a transfer may take. */
  readonly maxTransferMs: number;
  /** The least rate at which a client takes what is sent, in octets a second, averaged over a window. */
  readonly minTransferRate: number;
  readonly rateWindowMs: number;
}
