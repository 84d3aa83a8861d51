import { createServer, type Server, type Socket } from 'node:net';
import { plainAddress } from '../../addresses/networks.ts';
import type { Log } from '../../runtime/log.ts';
import type { Answering } from './answering.ts';
import type { PrimarySettings } from './settings.ts';
import { messagesOf } from './tcp-reader.ts';
import { PeerGone, TcpWriter } from './tcp-writer.ts';

interface OpenConnection {
  readonly socket: Socket;
  readonly address: string;
  /** True once the client has sent a question that was not refused. */
  isKnown: boolean;
}

/** The open TCP connections of all listening sockets. */
export class TcpConnections {
  readonly #answering: Answering;
  readonly #settings: PrimarySettings;
  readonly #log: Log;
  /** In the order in which they were opened. */
  readonly #open = new Set<OpenConnection>();
  readonly #ended = new Set<Promise<void>>();

  constructor(answering: Answering, settings: PrimarySettings, log: Log) {
    this.#answering = answering;
    this.#settings = settings;
    this.#log = log;
  }

  /** Creates a server that adds to these connections. It does not listen yet. */
  server(): Server {
    // A client may close its side after sending a query.
    return createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (socket) =>
      this.#take(socket),
    );
  }

  /** Closes every connection and waits until no query is in progress. */
  async close(): Promise<void> {
    for (const { socket } of this.#open) socket.destroy();
    await Promise.all(this.#ended);
  }

  #take(socket: Socket): void {
    // An error only ends its own connection.
    socket.on('error', () => socket.destroy());
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || !this.#evictOldest(plainAddress(remoteAddress))) {
      socket.destroy();
      return;
    }
    const connection = { socket, address: plainAddress(remoteAddress), isKnown: false };
    this.#open.add(connection);
    socket.on('close', () => this.#open.delete(connection));
    const ended = this.#serve(connection).finally(() => {
      socket.destroySoon();
      this.#ended.delete(ended);
    });
    this.#ended.add(ended);
  }

  /** Makes room for one more connection if possible, by closing the oldest one that was never known. */
  #evictOldest(address: string): boolean {
    const { maxConnections, maxConnectionsPerClient } = this.#settings;
    const connections = [...this.#open];
    if (connections.filter((one) => one.address === address).length >= maxConnectionsPerClient) return false;
    if (connections.length < maxConnections) return true;
    const stranger = connections.find(({ isKnown }) => !isKnown);
    if (stranger === undefined) return false;
    this.#open.delete(stranger);
    stranger.socket.destroy();
    return true;
  }

  /** Answers the queries of a connection one after another. */
  async #serve(connection: OpenConnection): Promise<void> {
    const { socket, address } = connection;
    const outlet = new TcpWriter(socket, this.#settings);
    try {
      for await (const message of messagesOf(socket, this.#settings)) {
        const isKnown = await this.#answering.toStream(message, address, outlet);
        connection.isKnown ||= isKnown;
      }
      await outlet.flushed();
    } catch (error) {
      if (!(error instanceof PeerGone))
        this.#log.error({ err: error, address }, 'cannot answer a connection');
    }
  }
}
