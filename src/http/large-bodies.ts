import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { EdgeError } from './errors.ts';
import { watchRate } from './request-times.ts';
import { Slots } from './slots.ts';

/** The maximum number of large bodies at a time: each is held in memory whole. */
const LARGE_BODIES = { inAll: 4, ofOneProject: 2 };
/** The time over which the rate of a body is averaged, in seconds. */
const WINDOW = 5;
/** The client is still sending: if the connection were closed, a reset could cost it its answer. */
const STAY_OPEN = { connection: 'keep-alive' };

export interface LargeBodySettings {
  /** A body larger than this takes a slot, in bytes. */
  readonly maxBodySize: number;
  /** The least rate at which a body with a slot arrives, in bytes a second. */
  readonly minUploadRate: number;
}

/** Whether the headers announce a body larger than this, or one of unknown size. */
function announcesMoreThan(bytes: number, headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > bytes;
}

/**
 * A body as it arrives. It takes a slot when more bytes have arrived than a body may have without one: what a client only
 * announces takes none. From then on the body must arrive at the least rate.
 * @throws EdgeError, as the stream's error: `too_many_large_bodies` if there is no slot, `request_timeout` if it is too slow
 */
class PacedBody extends Transform {
  /** The bytes that have arrived; Fastify compares them with the Content-Length. */
  receivedEncodedLength = 0;
  readonly #settings: LargeBodySettings;
  readonly #take: () => void;
  readonly #source: Readable;
  #pace: NodeJS.Timeout | undefined;
  #atLastLook = 0;

  constructor(source: Readable, settings: LargeBodySettings, take: () => void) {
    super();
    this.#settings = settings;
    this.#take = take;
    this.#source = source;
    source.once('error', (error) => this.destroy(error));
    // What the client still sends is read and dropped: it reads the answer only after that.
    this.once('close', () => source.unpipe(this).resume());
    source.pipe(this);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.receivedEncodedLength += chunk.length;
    try {
      if (this.receivedEncodedLength > this.#settings.maxBodySize) this.#beLarge();
      done(null, chunk);
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    this.#endPace();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#endPace();
    done(error);
  }

  #beLarge(): void {
    if (this.#pace !== undefined) return;
    this.#take();
    this.#atLastLook = this.receivedEncodedLength;
    this.#pace = setInterval(() => this.#requirePace(), WINDOW * 1000);
    this.#pace.unref();
    watchRate(this.#source, true);
  }

  #endPace(): void {
    clearInterval(this.#pace);
    watchRate(this.#source, false);
  }

  #requirePace(): void {
    const arrived = this.receivedEncodedLength - this.#atLastLook;
    this.#atLastLook = this.receivedEncodedLength;
    // Bytes that wait to be read are a delay of the service, not of the client.
    if (arrived >= this.#settings.minUploadRate * WINDOW || this.readableLength > 0) return;
    this.destroy(new EdgeError('request_timeout', undefined, { connection: 'close' }));
  }
}

/** Bounds the memory of large bodies. No project can take all slots. */
export class LargeBodies {
  readonly #settings: LargeBodySettings;
  readonly #slots = new Slots(
    LARGE_BODIES,
    () => new EdgeError('too_many_large_bodies', undefined, STAY_OPEN),
  );

  constructor(settings: LargeBodySettings) {
    this.#settings = settings;
  }

  /**
   * The body of a request, which takes a slot when it turns out to be large, and the function that releases the slot.
   * @param maxSize of the body, in bytes
   */
  receive(
    source: Readable,
    headers: IncomingHttpHeaders,
    maxSize: number,
    projectId: string,
  ): { readonly body: Readable; release(): void } {
    const isRefused = headers['content-length'] !== undefined && announcesMoreThan(maxSize, headers);
    if (isRefused || !announcesMoreThan(this.#settings.maxBodySize, headers)) {
      return { body: source, release() {} };
    }
    let give = () => {};
    let isOver = false;
    const body = new PacedBody(source, this.#settings, () => {
      if (!isOver) give = this.#slots.take(projectId);
    });
    const release = () => {
      isOver = true;
      give();
      body.destroy();
    };
    return { body, release };
  }
}
