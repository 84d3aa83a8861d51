import type { Span } from '../histories/span.ts';
import type { Outcome } from './caller.ts';
import { type Done, isMade, type World } from './world.ts';

/** What an operation takes of something that a limit bounds. */
export interface Take {
  readonly limit: Span;
  readonly by: number;
  /** How much others have taken; nothing where what is bounded is new itself. */
  readonly usage?: Span;
}

interface Seen {
  readonly by: number;
  readonly limit: { readonly low: number; readonly high: number };
  /** Of the others, at least, and with this operation, at most. */
  readonly usage: { readonly low: number; readonly high: number };
}

function requireCapacity({ ledger }: World, what: string, seen: readonly Seen[]): void {
  for (const { by, limit, usage } of seen) {
    ledger.require('above a quota', usage.low + by <= limit.high, () => {
      return `${what} makes at least ${usage.low + by}, no limit was above ${limit.high}`;
    });
  }
}

function requireNoRoom({ ledger }: World, what: string, seen: readonly Seen[], outcome: Outcome): void {
  // A first attempt that was done leaves no room for a second.
  const again = outcome.unknown > 0 ? 1 : 0;
  const isJust = seen.some(({ by, limit, usage }) => usage.high + again * by > limit.low);
  ledger.require('refused with room left', isJust, () => {
    return `${what}: ${outcome.answer?.json.message} Known: ${JSON.stringify(seen)}`;
  });
}

/**
 * Sends an operation that takes of what limits bound, and holds the answer against all that the usage and the limits
 * may have been meanwhile. What has no answer stays counted as perhaps done until the next pause.
 */
export async function grow(
  world: World,
  what: string,
  takes: readonly Take[],
  send: () => Promise<Outcome>,
): Promise<{ outcome: Outcome; done: Done }> {
  const watched = takes.map(({ limit, usage, by }) => ({
    by,
    limit: limit.watch(),
    usage: usage?.watch() ?? (() => ({ low: 0, high: by })),
  }));
  const settles = takes.map(({ usage, by }) => usage?.begin(by));
  const outcome = await send();
  const seen = watched.map(({ by, limit, usage }) => ({ by, limit: limit(), usage: usage() }));
  const done = isMade(outcome);
  if (done !== undefined) for (const settle of settles) settle?.(done);
  if (done) requireCapacity(world, what, seen);
  if (outcome.answer?.status === 413) requireNoRoom(world, what, seen, outcome);
  return { outcome, done };
}
