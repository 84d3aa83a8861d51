import { connect, type Socket } from 'node:net';
import type { ServerAddress } from '../../model/pools/pool.ts';
import { TcpReader } from '../primary/tcp-reader.ts';
import { systemFault } from '../worker/dns-response.ts';
import { timed } from '../worker/with-timeout.ts';
import { BrokenTransfer } from './broken-transfer.ts';
import type { TransferBounds } from './settings.ts';

type MasterConnectionBounds = Pick<
  TransferBounds,
  'connectMs' | 'answerMs' | 'maxTransferMs' | 'minRate' | 'rateWindowMs' | 'maxOctets'
>;

const LENGTH_OCTETS = 2;

const fails = (message: string): BrokenTransfer => new BrokenTransfer(message, { mayComeWhole: false });

/** A TCP connection to a master, for one query. Data is read no faster than it is consumed. */
export class MasterConnection {
  readonly #socket: Socket;
  readonly #bounds: MasterConnectionBounds;
  readonly #inlet: TcpReader;
  readonly #deadline: number;
  /** Time spent waiting in the current window, in milliseconds, and octets received before it began. */
  #waited = 0;
  #had = 0;
  #hasBegun = false;

  private constructor(socket: Socket, bounds: MasterConnectionBounds) {
    this.#socket = socket;
    this.#bounds = bounds;
    this.#inlet = new TcpReader(socket);
    this.#deadline = performance.now() + bounds.maxTransferMs;
  }

  /** @throws BrokenTransfer if there is no connection in time, or the signal fires */
  static async open(
    master: ServerAddress,
    bounds: MasterConnectionBounds,
    signal: AbortSignal,
  ): Promise<MasterConnection> {
    const socket = connect({ host: master.host, port: master.port, noDelay: true });
    const end = () => socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', end));
    const isOpen = await timed<true | Error>(bounds.connectMs, signal, (done) => {
      socket.once('connect', () => done(true));
      // This listener stays: a later error only ends the connection.
      socket.on('error', done);
    });
    if (isOpen === true) return new MasterConnection(socket, bounds);
    socket.destroy();
    if (isOpen !== undefined) throw fails(systemFault(isOpen));
    const seconds = bounds.connectMs / 1000;
    throw fails(
      `The server accepts no TCP connection within ${seconds} seconds: is it running, and does the firewall allow TCP?`,
    );
  }

  /** Octets received. */
  get octets(): number {
    return this.#socket.bytesRead;
  }

  send(message: Buffer): void {
    const length = Buffer.alloc(LENGTH_OCTETS);
    length.writeUInt16BE(message.length);
    this.#socket.write(Buffer.concat([length, message]));
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Yields the messages as they arrive (RFC 1035 section 4.2.2), until the caller stops. @throws BrokenTransfer */
  async *messages(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const length = (await this.#read(LENGTH_OCTETS)).readUInt16BE(0);
        if (length === 0) throw new BrokenTransfer('The server sends an empty message.');
        const message = await this.#read(length);
        if (!this.#hasBegun) this.#beginWindow();
        this.#hasBegun = true;
        yield message;
      }
    } finally {
      this.close();
    }
  }

  async #read(count: number): Promise<Buffer> {
    for (;;) {
      this.#requireSize();
      const before = performance.now();
      const octets = await this.#inlet.read(count, Math.max(1, this.#patience(before)));
      const now = performance.now();
      this.#waited += now - before;
      if (now >= this.#deadline) throw this.#late();
      if (octets !== undefined) return octets;
      if (this.#inlet.isOver) throw this.#cutOff();
      this.#checkWindow();
    }
  }

  /** Maximum time to wait for the next octets, in milliseconds. */
  #patience(now: number): number {
    return Math.min(this.#deadline - now, this.#window - this.#waited);
  }

  get #window(): number {
    return this.#hasBegun ? this.#bounds.rateWindowMs : this.#bounds.answerMs;
  }

  /** Closes the window if its time is up. @throws BrokenTransfer if too little arrived in it */
  #checkWindow(): void {
    if (this.#waited < this.#window) return;
    const { minRate, rateWindowMs, answerMs } = this.#bounds;
    const came = this.octets - this.#had;
    if (!this.#hasBegun) {
      throw fails(
        `The server does not answer the transfer request within ${answerMs / 1000} seconds: check its log.`,
      );
    }
    if (came * 1000 < minRate * rateWindowMs) {
      throw fails(`The server sends less than ${minRate} bytes per second: check its load and the network.`);
    }
    this.#beginWindow();
  }

  #beginWindow(): void {
    this.#waited = 0;
    this.#had = this.octets;
  }

  #requireSize(): void {
    const { maxOctets } = this.#bounds;
    if (this.octets <= maxOctets) return;
    throw fails(`The server sends more than ${maxOctets} bytes: the zone is too large.`);
  }

  #late(): BrokenTransfer {
    const seconds = this.#bounds.maxTransferMs / 1000;
    return fails(
      `The transfer takes longer than ${seconds} seconds: the zone is too large, or the connection too slow.`,
    );
  }

  #cutOff(): BrokenTransfer {
    return new BrokenTransfer(
      this.octets === 0
        ? 'The server closes the connection without an answer: does it allow transfers to the addresses of this service?'
        : 'The server closes the connection before the transfer has ended: check its log.',
    );
  }
}
