import type { Socket } from 'node:net';

/** The shortest time that a message is given to be taken, in milliseconds: the kernel reports in leaps what it has sent. */
const LEAST_TIME = 10_000;

/** The peer has gone, or takes less than it must: there is nobody to answer any more. */
export class PeerGone extends Error {
  constructor() {
    super('The connection was closed.');
    this.name = 'PeerGone';
  }
}

/** Sends messages over TCP (RFC 1035 section 4.2.2), each once the one before was taken. */
export class Outlet {
  readonly #socket: Socket;
  readonly #minRate: number;
  #last: Promise<void> = Promise.resolve();

  /** @param minRate in octets a second; a peer that takes less is cut off */
  constructor(socket: Socket, minRate: number) {
    this.#socket = socket;
    this.#minRate = minRate;
  }

  /** Waits until the message before was taken. @throws PeerGone */
  async send(message: Buffer): Promise<void> {
    await this.#last;
    const last = this.#write(message);
    // Whoever sends next, or waits for the end, is told.
    last.catch(() => {});
    this.#last = last;
  }

  /** Everything was taken. @throws PeerGone */
  flushed(): Promise<void> {
    return this.#last;
  }

  /** Ends the connection: an answer that was begun cannot be finished. */
  cut(): void {
    this.#socket.destroy();
  }

  #write(message: Buffer): Promise<void> {
    const head = Buffer.allocUnsafe(2);
    head.writeUInt16BE(message.length);
    const time = Math.max(LEAST_TIME, (1000 * message.length) / this.#minRate);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.cut(), time);
      this.#socket.cork();
      this.#socket.write(head);
      this.#socket.write(message, (error) => {
        clearTimeout(timer);
        if (error) reject(new PeerGone());
        else resolve();
      });
      this.#socket.uncork();
    });
  }
}
