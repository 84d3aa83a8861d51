import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { type Release, Semaphore } from '../../runtime/semaphore.ts';
import { EdgeError } from './errors.ts';
import { setPace } from './request-times.ts';

/** The maximum number of large bodies at a time: each is held in memory whole. */
const LARGE_BODIES = { permits: 4, perOwner: 2 };
/** The time over which the rate of a large body is averaged, in milliseconds. */
const WINDOW_MS = 5000;
/** The client is still sending: if the connection were closed, a reset could cost it its answer. */
const STAY_OPEN = { connection: 'keep-alive' };

export interface LargeBodySettings {
  /** A body larger than this takes a slot, in bytes. */
  readonly maxBodySize: number;
  /** The least rate at which a body with a slot arrives, in bytes a second. */
  readonly minUploadRate: number;
}

/** The size of the body that the headers announce, in bytes; infinite where they do not say it. */
export function announcedSize(headers: IncomingHttpHeaders): number {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : Number.POSITIVE_INFINITY;
}

/**
 * A body as it arrives. It takes a slot when more bytes have arrived than a body may have without one: what a client only
 * announces takes none. From then on it must arrive at the least rate.
 * @throws EdgeError, as the stream's error: `too_many_large_bodies` if there is no slot, `request_timeout` if it is too slow
 */
class CountedBody extends Transform {
  /** The bytes that have arrived; Fastify compares them with the Content-Length. */
  receivedEncodedLength = 0;
  readonly #source: Readable;
  readonly #settings: LargeBodySettings;
  readonly #take: () => void;
  #isLarge = false;

  constructor(source: Readable, settings: LargeBodySettings, take: () => void) {
    super();
    this.#source = source;
    this.#settings = settings;
    this.#take = take;
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

  #beLarge(): void {
    if (this.#isLarge) return;
    this.#take();
    this.#isLarge = true;
    setPace(this.#source, {
      rate: this.#settings.minUploadRate,
      windowMs: WINDOW_MS,
      refuse: () => this.destroy(new EdgeError('request_timeout', undefined, { connection: 'close' })),
    });
  }
}

/** Bounds the memory of large bodies. No project can take all slots. */
export class LargeBodies {
  readonly #settings: LargeBodySettings;
  readonly #slots = new Semaphore(LARGE_BODIES);

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
    const size = announcedSize(headers);
    const isRefused = Number.isFinite(size) && size > maxSize;
    if (isRefused || size <= this.#settings.maxBodySize) return { body: source, release() {} };
    let give = () => {};
    let isOver = false;
    const body = new CountedBody(source, this.#settings, () => {
      if (!isOver) give = this.#take(projectId);
    });
    const release = () => {
      isOver = true;
      give();
      body.destroy();
    };
    return { body, release };
  }

  #take(projectId: string): Release {
    const release = this.#slots.tryTake(projectId);
    if (release === undefined) throw new EdgeError('too_many_large_bodies', undefined, STAY_OPEN);
    return release;
  }
}
