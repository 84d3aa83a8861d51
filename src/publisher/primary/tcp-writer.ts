import type { Socket } from 'node:net';
import type { PrimarySettings } from './settings.ts';

/** The peer has disconnected, or reads too slowly; it can no longer be answered. */
export class PeerGone extends Error {
  constructor() {
    super('The connection was closed.');
    this.name = 'PeerGone';
  }
}

type TransferRateSettings = Pick<PrimarySettings, 'minTransferRate' | 'rateWindowMs'>;

/** Sends messages over TCP (RFC 1035 section 4.2.2), each after the previous one was accepted. */
export class TcpWriter {
  readonly #socket: Socket;
  readonly #rate: TransferRateSettings;
  #last: Promise<void> = Promise.resolve();
  /**
   * Octets accepted in the current window, and time spent waiting for the peer, in milliseconds. Idle time does not
   * count.
   */
  #taken = 0;
  #waited = 0;

  constructor(socket: Socket, rate: TransferRateSettings) {
    this.#socket = socket;
    this.#rate = rate;
  }

  /** Waits until the previous message was accepted. @throws PeerGone */
  async send(message: Buffer): Promise<void> {
    await this.#last;
    const last = this.#write(message);
    // The next send, or flushed(), rejects.
    last.catch(() => {});
    this.#last = last;
  }

  /** Resolves when everything was accepted. @throws PeerGone */
  flushed(): Promise<void> {
    return this.#last;
  }

  /** Closes the connection, because a response in progress cannot be completed. */
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
        // If the connection was cut in the meantime, the stream reports no error.
        if (error || this.#socket.destroyed) reject(new PeerGone());
        else resolve();
      });
      this.#socket.uncork();
    });
  }

  /** Cuts the connection if the peer has accepted too little by the end of a window. */
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
