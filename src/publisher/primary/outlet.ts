import type { Socket } from 'node:net';
import type { PrimarySettings } from './settings.ts';

/** The peer has gone, or takes less than it must: there is nobody to answer any more. */
export class PeerGone extends Error {
  constructor() {
    super('The connection was closed.');
    this.name = 'PeerGone';
  }
}

type Rate = Pick<PrimarySettings, 'minTransferRate' | 'rateWindowMs'>;

/** Sends messages over TCP (RFC 1035 section 4.2.2), each once the one before was taken. */
export class Outlet {
  readonly #socket: Socket;
  readonly #rate: Rate;
  #last: Promise<void> = Promise.resolve();
  /** What was taken in the present window, and how long the peer was waited for. Time in which nothing is sent does not count. */
  #taken = 0;
  #waited = 0;

  constructor(socket: Socket, rate: Rate) {
    this.#socket = socket;
    this.#rate = rate;
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
    const wait = this.#wait();
    return new Promise((resolve, reject) => {
      this.#socket.cork();
      this.#socket.write(head);
      this.#socket.write(message, (error) => {
        wait.end();
        this.#taken += message.length;
        // Where the connection was cut meanwhile, the stream reports no error.
        if (error || this.#socket.destroyed) reject(new PeerGone());
        else resolve();
      });
      this.#socket.uncork();
    });
  }

  /** Cuts the peer off if it has taken too little by the end of a window. */
  #wait(): { end(): void } {
    const { rateWindowMs, minTransferRate } = this.#rate;
    const endWindow = () => {
      if (this.#taken * 1000 < minTransferRate * rateWindowMs) return this.cut();
      this.#taken = 0;
      this.#waited = 0;
      since = performance.now();
      timer = setTimeout(endWindow, rateWindowMs);
    };
    let since = performance.now();
    let timer = setTimeout(endWindow, Math.max(0, rateWindowMs - this.#waited));
    return {
      end: () => {
        clearTimeout(timer);
        this.#waited += performance.now() - since;
      },
    };
  }
}
