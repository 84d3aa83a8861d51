import type { Duplex } from 'node:stream';
import { clientNetwork, Networks, plainAddress } from '../../addresses/networks.ts';
import type { ClientSocket } from './client-socket.ts';
import { Connection } from './connection.ts';

/** Why a connection was closed for want of a place. */
export type Crowded =
  /** The client has as many as one client may have. */
  | 'client_limit'
  /** Another connection got its place. */
  | 'evicted'
  /** All others are in use by authenticated callers. */
  | 'no_room';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Of one address, or of one /64 of IPv6. */
  readonly maxConnectionsPerClient: number;
  /** They carry the requests of many clients: they have no limit of their own, and are never evicted. */
  readonly trustedProxies: readonly string[];
  /** Called for each connection that is closed for lack of room. */
  crowded?(reason: Crowded): void;
}

interface Entry {
  /** Undefined for a trusted proxy. */
  readonly client: string | undefined;
  readonly connection: Connection;
}

const owners = new WeakMap<Duplex, Connections>();

/** Notes that a request of an authenticated caller came on the connection. */
export function noteAuthenticated(socket: Duplex): void {
  owners.get(socket)?.noteAuthenticated(socket);
}

/**
 * The open connections. When there is no place for a new one, the oldest connection on which nobody was authenticated is
 * closed for it, then the authenticated one that has been idle for longest.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #proxies: Networks;
  readonly #open = new Map<Duplex, Entry>();
  readonly #byClient = new Map<string, number>();
  /** Without an authenticated caller, in the order in which they came. */
  readonly #strangers = new Set<Duplex>();
  /** With one, and without an open request, in the order in which they became idle. */
  readonly #idle = new Set<Duplex>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    this.#proxies = new Networks(limits.trustedProxies);
  }

  /** Takes in a new connection, or closes it. */
  take(socket: ClientSocket): void {
    const { remoteAddress } = socket;
    // The client has gone.
    if (remoteAddress === undefined) return void socket.destroy();
    const address = plainAddress(remoteAddress);
    const client = this.#proxies.has(address) ? undefined : clientNetwork(address);
    const refusal = this.#refusalOf(client);
    if (refusal !== undefined) {
      this.#limits.crowded?.(refusal);
      return void socket.destroy();
    }
    this.#add(socket, client);
  }

  get(socket: Duplex): Connection | undefined {
    return this.#open.get(socket)?.connection;
  }

  *idle(): Generator<Duplex, void> {
    for (const [socket, { connection }] of this.#open) if (connection.isIdle) yield socket;
  }

  noteAuthenticated(socket: Duplex): void {
    this.#strangers.delete(socket);
  }

  /** A request on the connection begins, or was answered. */
  noteUse(socket: Duplex): void {
    const entry = this.#open.get(socket);
    if (entry?.client === undefined || this.#strangers.has(socket)) return;
    if (entry.connection.isIdle) this.#idle.add(socket);
    else this.#idle.delete(socket);
  }

  #refusalOf(client: string | undefined): Crowded | undefined {
    const { maxConnections, maxConnectionsPerClient } = this.#limits;
    if (client !== undefined && (this.#byClient.get(client) ?? 0) >= maxConnectionsPerClient)
      return 'client_limit';
    return this.#open.size >= maxConnections && !this.#evictOne() ? 'no_room' : undefined;
  }

  #evictOne(): boolean {
    const [socket] = this.#strangers.size > 0 ? this.#strangers : this.#idle;
    if (socket === undefined) return false;
    this.#remove(socket);
    socket.destroy();
    this.#limits.crowded?.('evicted');
    return true;
  }

  #add(socket: ClientSocket, client: string | undefined): void {
    owners.set(socket, this);
    this.#open.set(socket, { client, connection: new Connection(socket) });
    if (client !== undefined) {
      this.#byClient.set(client, (this.#byClient.get(client) ?? 0) + 1);
      this.#strangers.add(socket);
    }
    socket.once('close', () => this.#remove(socket));
  }

  #remove(socket: Duplex): void {
    const entry = this.#open.get(socket);
    if (!this.#open.delete(socket)) return;
    this.#strangers.delete(socket);
    this.#idle.delete(socket);
    const client = entry?.client;
    if (client === undefined) return;
    const left = this.#byClient.get(client)! - 1;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
  }
}
