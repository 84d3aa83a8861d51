import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { plainAddress } from '../../addresses/networks.ts';
import type { Log } from '../../runtime/log.ts';
import type { Answering } from './answering.ts';

/** Answers queries received over UDP, a limited number at once; the rest are dropped. */
export class UdpServer {
  readonly #answering: Answering;
  readonly #maxQueries: number;
  readonly #log: Log;
  #isClosed = false;
  readonly #pending = new Set<Promise<void>>();

  constructor(answering: Answering, maxQueries: number, log: Log) {
    this.#answering = answering;
    this.#maxQueries = maxQueries;
    this.#log = log;
  }

  /** Creates a socket whose queries are answered. It is not bound yet. */
  socket(isIpv6: boolean): Socket {
    const socket = createSocket({ type: isIpv6 ? 'udp6' : 'udp4', ipv6Only: isIpv6 });
    socket.on('message', (message, from) => this.#take(socket, message, from));
    return socket;
  }

  /** Stops sending, and waits until nothing is reading from the store. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#pending);
  }

  #take(socket: Socket, message: Buffer, from: RemoteInfo): void {
    if (this.#pending.size >= this.#maxQueries) return;
    const pending = this.#answer(socket, message, from)
      .catch((error) => this.#log.error({ err: error }, 'cannot answer a datagram'))
      .finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  async #answer(socket: Socket, message: Buffer, { address, port }: RemoteInfo): Promise<void> {
    const answer = await this.#answering.toDatagram(message, plainAddress(address));
    if (answer === undefined || this.#isClosed) return;
    // A datagram that cannot be sent is lost like any other; the client retries.
    await new Promise<void>((resolve) => {
      socket.send(answer, port, address, () => resolve());
    });
  }
}
