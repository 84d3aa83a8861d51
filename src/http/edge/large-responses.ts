import type { ServerResponse } from 'node:http';
import { Semaphore } from '../../runtime/semaphore.ts';
import { EdgeError } from './errors.ts';

/** Each holds a zone in memory, in a compact form. */
const LARGE_RESPONSES = { permits: 8, perOwner: 2 };

/**
 * In characters. While a client reads a response, Node.js keeps a string plus three times its length, but a buffer only
 * once.
 */
const LARGE_TEXT = 65_536;

/** Converts large texts to bytes, so that they take no more memory than is counted as unread. */
export const payloadOf = (text: string): string | Buffer =>
  text.length < LARGE_TEXT ? text : Buffer.from(text);

/** Slots for responses that can be as large as a zone. */
export class LargeResponses {
  readonly #slots = new Semaphore(LARGE_RESPONSES);

  /** Takes a slot until the response has been sent or aborted. @throws EdgeError if no slot is free */
  hold(response: ServerResponse, projectId: string): void {
    if (response.destroyed) return;
    const release = this.#slots.tryTake(projectId);
    if (release === undefined) throw new EdgeError('too_many_large_answers');
    response.once('close', release);
  }
}
