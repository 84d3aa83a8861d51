import { EdgeError } from './errors.ts';

/** Maximum number of projects counted separately. Beyond it, the oldest entry is dropped. */
const MAX_PROJECTS = 100_000;
/** Burst size, in seconds' worth of requests, for a project that has been quiet. */
const BURST = 2;

interface Bucket {
  tokens: number;
  at: number;
}

/** Limits the requests per second of each project, with bursts of twice that. */
export class RequestRate {
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** @param now in milliseconds */
  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Counts a request. @throws EdgeError `too_many_requests`, with the number of seconds to wait */
  require(projectId: string): void {
    const bucket = this.#bucketOf(projectId);
    if (bucket.tokens < 1) {
      const seconds = Math.ceil((1 - bucket.tokens) / this.#perSecond);
      throw new EdgeError(
        'too_many_requests',
        `The project may send ${this.#perSecond} requests per second. Retry in a moment.`,
        { 'retry-after': String(seconds) },
      );
    }
    bucket.tokens -= 1;
  }

  #bucketOf(projectId: string): Bucket {
    const now = this.#now();
    const most = this.#perSecond * BURST;
    const before = this.#buckets.get(projectId) ?? { tokens: most, at: now };
    const tokens = Math.min(most, before.tokens + ((now - before.at) / 1000) * this.#perSecond);
    const bucket = { tokens, at: now };
    if (this.#buckets.size >= MAX_PROJECTS && !this.#buckets.has(projectId)) {
      this.#buckets.delete(this.#buckets.keys().next().value!);
    }
    this.#buckets.set(projectId, bucket);
    return bucket;
  }
}
