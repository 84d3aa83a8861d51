import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { type Release, Semaphore } from '../../runtime/semaphore.ts';
import { EdgeError } from './errors.ts';
import { setMinimumRate } from './request-times.ts';

/** The maximum number of large bodies at a time: each is held in memory whole. */
const LARGE_BODIES = { permits: 4, perOwner: 2 };
/** The time over which the rate of a large body is averaged, in milliseconds. */
const WINDOW_MS = 5000;
/** The client is still sending. Closing the connection could reset it and cost the client its response. */
const STAY_OPEN = { connection: 'keep-alive' };

export interface LargeBodySettings {
  /** Bodies larger than this need a slot, in bytes. */
  readonly maxBodySize: number;
  /** Minimum upload rate of a body with a slot, in bytes per second. */
  readonly minUploadRate: number;
}

/** Body size according to the headers, in bytes; infinite if they do not give it. */
export function announcedSize(headers: IncomingHttpHeaders): number {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : Number.POSITIVE_INFINITY;
}

/**
 * A body as it arrives. It takes a slot once it exceeds the size allowed without one; an announced size takes none.
 * From then on it must arrive at the minimum rate.
 * @throws EdgeError, as the stream's error: `too_many_large_bodies` if no slot is free, `request_timeout` if it is too
 *   slow
 */
class CountedBody extends Transform {
  /** Bytes that have arrived. */
  #received = 0;
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
    // The rest is read and discarded, because the client reads the response only after sending it.
    this.once('close', () => source.unpipe(this).resume());
    source.pipe(this);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#received += chunk.length;
    try {
      if (this.#received > this.#settings.maxBodySize) this.#beLarge();
      done(null, chunk);
    } catch (error) {
      done(error as Error);
    }
  }

  #beLarge(): void {
    if (this.#isLarge) return;
    this.#take();
    this.#isLarge = true;
    setMinimumRate(this.#source, {
      rate: this.#settings.minUploadRate,
      windowMs: WINDOW_MS,
      refuse: () => this.destroy(new EdgeError('request_timeout', undefined, { connection: 'close' })),
    });
  }
}

/** Limits the memory for large bodies. No single project can take all slots. */
export class LargeBodies {
  readonly #settings: LargeBodySettings;
  readonly #slots = new Semaphore(LARGE_BODIES);

  constructor(settings: LargeBodySettings) {
    this.#settings = settings;
  }

  /**
   * Wraps the body of a request, which takes a slot if it proves to be large. Also returns the function that releases
   * it.
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
