import type { EventKeys } from '../../model/events/event-key.ts';
import {
  type ChainEnd,
  type EventHead,
  isProvenBy,
  keyIdOf,
  nextEnd,
  type SealedEvent,
  type WrittenEvent,
  writtenOf,
} from '../../model/events/stored-event.ts';
import type { Finding, VerificationReads } from '../../model/verification/stored.ts';
import { paged } from './pages.ts';

const CHANGED = 'It is not what was written: its proof does not match.';
const UNCHAINED = 'Its hash does not follow from the event before it and its own content.';

export interface EventVerification {
  readonly reads: Pick<VerificationReads, 'events' | 'waitingEvents' | 'eventHead'>;
  readonly keys: Pick<EventKeys, 'find'>;
  /** The hash of an earlier head, which must be in the chain. */
  readonly pastHead: string | undefined;
  report(finding: Finding): Promise<void>;
}

export interface VerifiedEvents {
  readonly events: number;
  /** Number of events whose keys are not available, by key id. */
  readonly unproven: ReadonlyMap<string, number>;
}

/** Why the event's position is wrong; undefined if it is right. */
function placeFault({ position }: SealedEvent, before: ChainEnd, head: EventHead): string | undefined {
  if (position <= head.removed.position)
    return 'It lies before the oldest event that is kept: it was inserted.';
  if (position > head.position) return 'It lies behind the newest event: it was inserted.';
  const first = before.position + 1;
  if (position === first) return undefined;
  return `The events before it from the position ${first} to ${position - 1} are missing.`;
}

/** Checks the chain of events from its oldest end, one event at a time. */
class Chain {
  readonly #head: EventHead;
  readonly #keys: Pick<EventKeys, 'find'>;
  readonly unproven = new Map<string, number>();
  end: ChainEnd;

  constructor(head: EventHead, keys: Pick<EventKeys, 'find'>) {
    this.#head = head;
    this.#keys = keys;
    this.end = head.removed;
  }

  proofFaults(event: WrittenEvent): readonly string[] {
    const keyId = keyIdOf(event);
    if (keyId === undefined) return [CHANGED];
    const key = this.#keys.find(keyId);
    if (key === undefined) {
      this.unproven.set(keyId, (this.unproven.get(keyId) ?? 0) + 1);
      return [];
    }
    return isProvenBy(event, key) ? [] : [CHANGED];
  }

  /**
   * The faults of the next event. After a fault, checking continues from the stored values, so that each fault is
   * reported once.
   */
  add(event: SealedEvent): readonly string[] {
    const written = writtenOf(event);
    const misplaced = placeFault(event, this.end, this.#head);
    const isChained = misplaced !== undefined || nextEnd(this.end, written).hash === event.hash;
    if (event.position > this.#head.removed.position && event.position <= this.#head.position)
      this.end = { position: event.position, hash: event.hash };
    const faults = misplaced === undefined ? [] : [misplaced];
    return [...faults, ...(isChained ? [] : [UNCHAINED]), ...this.proofFaults(written)];
  }

  /** The fault of the head; undefined if it matches the last event. */
  headFault(): string | undefined {
    const { position, hash } = this.#head;
    if (this.end.position === position && this.end.hash === hash) return undefined;
    return `It is at the position ${position} with the hash ${hash}; the last event is at ${this.end.position} with ${this.end.hash}.`;
  }
}

/** Verifies that every event is unchanged, that none is missing in between, and that the chain ends at the head. */
export async function verifyEvents(order: EventVerification): Promise<VerifiedEvents> {
  const { reads, keys, pastHead, report } = order;
  const head = await reads.eventHead();
  const chain = new Chain(head, keys);
  let isPast = pastHead === undefined || pastHead === head.removed.hash;
  let events = 0;
  for await (const event of paged(reads.events)) {
    const name = `position ${event.position}`;
    for (const fault of chain.add(event)) await report({ about: 'event', id: event.id, name, fault });
    isPast ||= event.hash === pastHead;
    events += 1;
  }
  for await (const event of paged(reads.waitingEvents)) {
    for (const fault of chain.proofFaults(event)) await report({ about: 'event', id: event.id, fault });
    events += 1;
  }
  const headFault = chain.headFault();
  const about = 'head of the events';
  if (headFault !== undefined) await report({ about, id: head.hash, fault: headFault });
  if (!isPast) {
    const fault = 'No event has this hash: events were cut off at the end, or changed.';
    await report({ about, id: pastHead!, fault });
  }
  return { events, unproven: chain.unproven };
}
