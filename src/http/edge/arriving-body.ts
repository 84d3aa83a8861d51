import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { EdgeError } from './errors.ts';

type BodyChunk = IteratorResult<Uint8Array, unknown>;

const TOO_LARGE_WITH_KEY =
  'The body is too large for a request with an Idempotency-Key. Send it without one: repeating an import changes nothing more.';

// The rest of the body may still arrive, so the connection cannot be used for another request.
const CLOSE = { connection: 'close' };

function tooLarge(): EdgeError {
  return new EdgeError('request_too_large', undefined, CLOSE);
}

/** A reset means that the client disconnected or sent less than it announced. */
function readError(error: unknown): unknown {
  const isCutShort = (error as { code?: unknown } | undefined)?.code === 'ECONNRESET';
  return isCutShort ? new EdgeError('bad_request', undefined, CLOSE) : error;
}

/**
 * Reads a body whole.
 * @param announced size according to the headers, in bytes; infinite if they do not give it
 * @param maxSize in bytes
 * @throws EdgeError `request_too_large`; `bad_request` if the client disconnects
 */
export function wholeBody(body: Readable, announced: number, maxSize: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number.isFinite(announced) && announced > maxSize) return reject(tooLarge());
    if (body.destroyed) return reject(new EdgeError('bad_request', undefined, CLOSE));
    const parts: Uint8Array[] = [];
    let size = 0;
    const add = (part: Uint8Array): void => {
      size += part.length;
      if (size <= maxSize) return void parts.push(part);
      body.off('data', add);
      reject(tooLarge());
    };
    body.on('data', add);
    body.once('end', () => resolve(Buffer.concat(parts, size)));
    body.once('error', (error) => reject(readError(error)));
    body.once('close', () => {
      if (!body.readableEnded) reject(new EdgeError('bad_request', undefined, CLOSE));
    });
  });
}

/**
 * The bytes of a body as they arrive, up to the limit of its route. A reader that stops early leaves the rest to
 * `finish`, because a client reads the response only after it has sent its body.
 */
export class ArrivingBody implements AsyncIterable<Uint8Array> {
  readonly #parts: AsyncIterator<Uint8Array> | undefined;
  readonly #maxSize: number;
  readonly #announced: number;
  #received = 0;
  #isOver: boolean;

  /** @param maxSize in bytes */
  constructor(body: Readable | undefined, headers: IncomingHttpHeaders, maxSize: number) {
    this.#parts = body?.[Symbol.asyncIterator]();
    this.#maxSize = maxSize;
    this.#announced = Number(headers['content-length'] ?? 0);
    this.#isOver = body === undefined;
  }

  /** Each loop continues where the previous one stopped. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next() };
  }

  async #next(): Promise<BodyChunk> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      this.#requireSize(this.#announced);
      const part: BodyChunk = await this.#parts!.next();
      this.#isOver = part.done === true;
      if (part.done) return part;
      this.#received += part.value.length;
      this.#requireSize(this.#received);
      return part;
    } catch (error) {
      this.#isOver = true;
      throw readError(error);
    }
  }

  #requireSize(size: number): void {
    if (size <= this.#maxSize) return;
    void this.#discard();
    throw tooLarge();
  }

  async #discard(): Promise<void> {
    try {
      while (!(await this.#parts!.next()).done);
    } catch {
      // The client has disconnected.
    }
  }

  /** Reads and discards the rest. @throws EdgeError `request_too_large` */
  async finish(): Promise<void> {
    while (!(await this.#next()).done);
  }

  /**
   * Waits for the whole body and returns its SHA-256 and its bytes, which can be read once.
   * @param most maximum kept, in bytes
   * @throws EdgeError `request_too_large`
   */
  async whole(
    most = this.#maxSize,
  ): Promise<{ readonly hash: string; readonly bytes: AsyncIterable<Uint8Array> }> {
    const hash = createHash('sha256');
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of this) {
      size += part.length;
      if (size > most) throw new EdgeError('request_too_large', TOO_LARGE_WITH_KEY);
      hash.update(part);
      parts.push(part);
    }
    async function* bytes(): AsyncGenerator<Uint8Array, void> {
      for (let at = 0; at < parts.length; at += 1) {
        yield parts[at]!;
        parts[at] = Buffer.of();
      }
    }
    return { hash: hash.digest('hex'), bytes: bytes() };
  }
}
