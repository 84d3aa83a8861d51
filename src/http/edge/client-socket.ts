import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * Maximum piece size in bytes. Node's parser handles its input in one go, and 64 KiB can hold 3,000 pipelined requests.
 */
const PIECE = 4096;

type WriteCallback = (error?: Error | null) => void;
interface WrittenChunk {
  readonly chunk: Buffer;
  readonly encoding: BufferEncoding;
}

/**
 * A client's connection as the HTTP parser sees it: input is passed on in small pieces, and not at all while the
 * connection is held. Pausing the socket is not enough, because Node resumes it at the end of each request.
 */
export class ClientSocket extends Duplex {
  readonly #socket: Socket;
  /** Input not yet passed on. The socket is paused while there is any. */
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

  /** Includes bytes that have arrived but are not yet passed on. */
  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  /** Includes bytes still waiting to be sent. */
  get bytesWritten(): number {
    const { bytesWritten, writableLength } = this.#socket;
    return bytesWritten - writableLength + this.writableLength;
  }

  setTimeout(milliseconds: number, callback?: () => void): this {
    this.#socket.setTimeout(milliseconds);
    if (callback !== undefined) this.once('timeout', callback);
    return this;
  }

  /** Stops passing on input until release(). */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#handOver();
  }

  /** Closes the connection once everything written has been sent. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {
    this.#isWanted = true;
    this.#handOver();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: WriteCallback): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _writev(chunks: WrittenChunk[], done: WriteCallback): void {
    this.#socket.cork();
    const last = chunks.length - 1;
    chunks.forEach(({ chunk, encoding }, at) => {
      this.#socket.write(chunk, encoding, at === last ? done : undefined);
    });
    this.#socket.uncork();
  }

  override _final(done: WriteCallback): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: WriteCallback): void {
    this.#rest = undefined;
    this.#socket.destroy();
    done(error);
  }

  #arrive(bytes: Buffer): void {
    this.#rest = bytes;
    this.#handOver();
    if (this.#rest !== undefined) this.#socket.pause();
  }

  /** Passes on pieces while they are wanted. Each push may hold the connection or end the demand. */
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
