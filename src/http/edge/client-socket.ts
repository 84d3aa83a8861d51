import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Bytes of one piece. Node's parser handles whatever it gets at once: of 64 KiB, 3,000 pipelined requests. */
const PIECE = 4096;

type Done = (error?: Error | null) => void;
interface Written {
  readonly chunk: Buffer;
  readonly encoding: BufferEncoding;
}

/**
 * A client's connection as the HTTP parser sees it: what arrives is read in small pieces, and none of it while the connection
 * is held. A paused socket would not do: Node resumes it at the end of each request.
 */
export class ClientSocket extends Duplex {
  readonly #socket: Socket;
  /** What has arrived and is not yet read. The socket is paused meanwhile. */
  #rest: Buffer | undefined;
  #isWanted = false;
  #isHeld = false;
  #hasEnded = false;

  constructor(socket: Socket) {
    super({ decodeStrings: false, readableHighWaterMark: PIECE });
    this.#socket = socket;
    socket.on('data', (bytes) => this.#arrive(bytes));
    socket.on('end', () => {
      this.#hasEnded = true;
      this.#handOver();
    });
    socket.on('timeout', () => this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get localAddress(): string | undefined {
    return this.#socket.localAddress;
  }

  get localPort(): number | undefined {
    return this.#socket.localPort;
  }

  /** With those that have arrived and are not yet read. */
  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  /** With those that wait to be sent. */
  get bytesWritten(): number {
    const { bytesWritten, writableLength } = this.#socket;
    return bytesWritten - writableLength + this.writableLength;
  }

  setTimeout(milliseconds: number, callback?: () => void): this {
    this.#socket.setTimeout(milliseconds);
    if (callback !== undefined) this.once('timeout', callback);
    return this;
  }

  /** Reads nothing more until it is released. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#handOver();
  }

  /** Closes the connection when all is sent that has been written. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {
    this.#isWanted = true;
    this.#handOver();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: Done): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _writev(chunks: Written[], done: Done): void {
    this.#socket.cork();
    const last = chunks.length - 1;
    chunks.forEach(({ chunk, encoding }, at) => {
      this.#socket.write(chunk, encoding, at === last ? done : undefined);
    });
    this.#socket.uncork();
  }

  override _final(done: Done): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#rest = undefined;
    this.#socket.destroy();
    done(error);
  }

  #arrive(bytes: Buffer): void {
    this.#rest = bytes;
    this.#handOver();
    if (this.#rest !== undefined) this.#socket.pause();
  }

  /** Pieces, as long as they are wanted: reading one may hold the connection, and asks for the next one or not. */
  #handOver(): void {
    while (this.#isWanted && !this.#isHeld && this.#rest !== undefined) {
      const piece = this.#rest.subarray(0, PIECE);
      this.#rest = piece.length < this.#rest.length ? this.#rest.subarray(PIECE) : undefined;
      this.#isWanted = this.push(piece);
    }
    if (this.#rest !== undefined || this.#isHeld) return;
    if (this.#hasEnded) this.push(null);
    else if (this.#isWanted && this.#socket.isPaused()) this.#socket.resume();
  }
}
