import { createServer, type Server, type Socket } from 'node:net';
import { plainAddress } from '../../addresses/networks.ts';
import type { Log } from '../../runtime/log.ts';
import type { Answering } from './answering.ts';
import type { PrimarySettings } from './settings.ts';
import { messagesOf } from './tcp-reader.ts';
import { PeerGone, TcpWriter } from './tcp-writer.ts';

interface TcpConnection {
  readonly socket: Socket;
  readonly address: string;
  /** True once the client has sent a question that was not refused. */
  isKnown: boolean;
}

/** The TCP connections of all listening sockets that are open, or closed with a message in progress. */
export class TcpConnections {
  readonly #answering: Answering;
  readonly #settings: PrimarySettings;
  readonly #log: Log;
  /** In the order in which they were opened. */
  readonly #connections = new Set<TcpConnection>();
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
    for (const { socket } of this.#connections) socket.destroy();
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
    this.#connections.add(connection);
    const ended = this.#serve(connection).finally(() => {
      socket.destroySoon();
      this.#ended.delete(ended);
    });
    // A message that waits keeps its memory, whether the client is still there or not.
    const closed = new Promise<void>((resolve) => socket.on('close', resolve));
    void Promise.all([ended, closed]).then(() => this.#connections.delete(connection));
    this.#ended.add(ended);
  }

  /** Makes room for one more connection if possible, by closing the oldest one that was never known. */
  #evictOldest(address: string): boolean {
    const { maxConnections, maxConnectionsPerClient } = this.#settings;
    const connections = [...this.#connections];
    if (connections.filter((one) => one.address === address).length >= maxConnectionsPerClient) return false;
    // As many again may be closed, with a message in progress.
    if (connections.length >= 2 * maxConnections) return false;
    const open = connections.filter(({ socket }) => !socket.destroyed);
    if (open.length < maxConnections) return true;
    const stranger = open.find(({ isKnown }) => !isKnown);
    if (stranger === undefined) return false;
    stranger.socket.destroy();
    return true;
  }

  /** Answers the queries of a connection one after another. */
  async #serve(connection: TcpConnection): Promise<void> {
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
