import type { ServerResponse } from 'node:http';
import { Semaphore } from '../../runtime/semaphore.ts';
import { EdgeError } from './errors.ts';

/** Each holds a zone in memory, in a compact form. */
const LARGE_ANSWERS = { permits: 8, perOwner: 2 };

/** Node.js keeps a text and three times its length while a client reads it, but of bytes only themselves. */
const LARGE_TEXT = 65_536;

/** The text as an answer, so that it takes no more memory than what counts as unread. */
export const payloadOf = (text: string): string | Buffer =>
  text.length < LARGE_TEXT ? text : Buffer.from(text);

/** The slots of answers that can be as large as a zone. */
export class LargeAnswers {
  readonly #slots = new Semaphore(LARGE_ANSWERS);

  /** Takes a slot, which is released when the answer is sent, or cannot be any more. @throws EdgeError */
  hold(response: ServerResponse, projectId: string): void {
    if (response.destroyed) return;
    const release = this.#slots.tryTake(projectId);
    if (release === undefined) throw new EdgeError('too_many_large_answers');
    response.once('close', release);
  }
}
