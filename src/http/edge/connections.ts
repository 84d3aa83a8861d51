import type { Duplex } from 'node:stream';
import { clientNetwork, Networks, plainAddress } from '../../addresses/networks.ts';
import type { ClientSocket } from './client-socket.ts';
import { ClientConnection } from './connection.ts';

/** Why a connection was closed for lack of room. */
export type ConnectionRejection =
  /** The client has reached its connection limit. */
  | 'client_limit'
  /** A new connection took its place. */
  | 'evicted'
  /** All other connections are in use by authenticated callers. */
  | 'no_room';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Limit per IPv4 address or IPv6 /64. */
  readonly maxConnectionsPerClient: number;
  /** Proxies carry requests of many clients: they have no limit of their own and are never evicted. */
  readonly trustedProxies: readonly string[];
  /** Called for each connection that is closed for lack of room. */
  connectionRejected?(reason: ConnectionRejection): void;
}

interface TrackedConnection {
  /** Undefined for a trusted proxy. */
  readonly client: string | undefined;
  readonly connection: ClientConnection;
}

const owners = new WeakMap<Duplex, ClientConnections>();

/** Marks a connection as used by an authenticated caller. */
export function noteAuthenticated(socket: Duplex): void {
  owners.get(socket)?.noteAuthenticated(socket);
}

/**
 * The open connections. If a new one does not fit, the oldest connection without an authenticated caller is closed, or
 * else the authenticated one that has been idle longest.
 */
export class ClientConnections {
  readonly #limits: ConnectionLimits;
  readonly #proxies: Networks;
  readonly #open = new Map<Duplex, TrackedConnection>();
  readonly #byClient = new Map<string, number>();
  /** Connections without an authenticated caller, oldest first. */
  readonly #strangers = new Set<Duplex>();
  /** Authenticated connections without an open request, longest idle first. */
  readonly #idle = new Set<Duplex>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    this.#proxies = new Networks(limits.trustedProxies);
  }

  /** Accepts a new connection, or closes it. */
  take(socket: ClientSocket): void {
    const { remoteAddress } = socket;
    // The client has disconnected.
    if (remoteAddress === undefined) return void socket.destroy();
    const address = plainAddress(remoteAddress);
    const client = this.#proxies.has(address) ? undefined : clientNetwork(address);
    const refusal = this.#refusalOf(client);
    if (refusal !== undefined) {
      this.#limits.connectionRejected?.(refusal);
      return void socket.destroy();
    }
    this.#add(socket, client);
  }

  get(socket: Duplex): ClientConnection | undefined {
    return this.#open.get(socket)?.connection;
  }

  *idle(): Generator<Duplex, void> {
    for (const [socket, { connection }] of this.#open) if (connection.isIdle) yield socket;
  }

  noteAuthenticated(socket: Duplex): void {
    this.#strangers.delete(socket);
  }

  /** Updates the idle state when a request on the connection begins or ends. */
  noteUse(socket: Duplex): void {
    const entry = this.#open.get(socket);
    if (entry?.client === undefined || this.#strangers.has(socket)) return;
    if (entry.connection.isIdle) this.#idle.add(socket);
    else this.#idle.delete(socket);
  }

  #refusalOf(client: string | undefined): ConnectionRejection | undefined {
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
    this.#limits.connectionRejected?.('evicted');
    return true;
  }

  #add(socket: ClientSocket, client: string | undefined): void {
    owners.set(socket, this);
    this.#open.set(socket, { client, connection: new ClientConnection(socket) });
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
