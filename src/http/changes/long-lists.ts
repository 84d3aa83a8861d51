/** Lists of thousands of items, which are checked in turns. */
import type { Faults } from '../../domain/shapes/faults.ts';
import type { Shape } from '../../domain/shapes/shape.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';

/** A list of any items, which are read later. */
export function unreadList(maxItems?: number): Shape<readonly unknown[]> {
  return {
    schema: { type: 'array', ...(maxItems !== undefined && { maxItems }) },
    read(given, faults) {
      if (!Array.isArray(given)) return faults.add('Must be an array.');
      return maxItems === undefined || given.length <= maxItems
        ? given
        : faults.add(`List at most ${maxItems}. Send more as a zone file.`);
    },
  };
}

interface UnreadItems<T extends object> {
  /** The key of the list in the body. */
  readonly key: string;
  readonly items: readonly unknown[];
  readonly shape: Shape<T>;
}

/** Reads items up to the last listed fault, yielding to other requests. */
export async function itemsInTurns<T extends object>(
  { key, items, shape }: UnreadItems<T>,
  faults: Faults,
  projectId: string,
): Promise<readonly T[]> {
  const turns = new TimeSlices(projectId);
  const found: T[] = [];
  for (const [place, item] of items.entries()) {
    const read = faults.within(key, () => faults.within(place, () => shape.read(item, faults)));
    if (read !== undefined) found.push(read);
    if (faults.areTooMany) break;
    if (turns.isOver) await turns.next();
  }
  return found;
}
