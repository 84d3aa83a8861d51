import type { Span } from '../../test/histories/span.ts';
import type { Outcome } from './caller.ts';
import { type Done, isMade, type World } from './world.ts';

/**
 * Sends an operation that makes one more of what a limit bounds, and holds the answer against all that the number and
 * the limit may have been meanwhile. What has no answer stays counted as perhaps done until the next pause.
 */
export async function grow(
  world: World,
  what: string,
  { usage, limit }: { usage: Span; limit: Span },
  send: () => Promise<Outcome>,
): Promise<{ outcome: Outcome; done: Done }> {
  const watched = { usage: usage.watch(), limit: limit.watch() };
  const settle = usage.begin(1);
  const outcome = await send();
  const seen = { usage: watched.usage(), limit: watched.limit() };
  const done = isMade(outcome);
  if (done !== undefined) settle(done);
  const { ledger } = world;
  if (done) {
    // The least counts the others alone.
    ledger.require('above a quota', seen.usage.low + 1 <= seen.limit.high, () => {
      return `${what} makes at least ${seen.usage.low + 1}, no limit was above ${seen.limit.high}`;
    });
  }
  if (outcome.answer?.status === 413) {
    // A first attempt that was done leaves no room for a second.
    const most = seen.usage.high + (outcome.unknown > 0 ? 1 : 0);
    ledger.require('refused with room left', most > seen.limit.low, () => {
      return `${what} makes at most ${most}, no limit was below ${seen.limit.low}: ${outcome.answer?.json.message}`;
    });
  }
  return { outcome, done };
}
