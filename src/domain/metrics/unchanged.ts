import type { Store } from '../../model/store.ts';

/**
 * The state on which the counters and the usage of projects depend, as a text: the last event that the usage of all projects
 * covers. Undefined while a change is in progress.
 */
export async function stateOfProjects({
  events,
  usage,
}: Pick<Store, 'events' | 'usage'>): Promise<string | undefined> {
  // No event reports that the removal of a zone has ended.
  if ((await usage.isLeaving()) || (await events.isWaiting())) return undefined;
  const { position } = await events.head();
  return (await usage.lastPass()) === position ? String(position) : undefined;
}

/**
 * Reads a value again only after a change of the state on which it depends. It reads twice in each state: at the first read, a
 * pass over the usage may still be writing.
 */
export function readWhenChanged<T>(read: () => Promise<T>): (state: string | undefined) => Promise<T> {
  let value: T | undefined;
  let state: string | undefined;
  let isFinal = false;
  return async (now) => {
    const isSame = now !== undefined && now === state;
    if (isSame && isFinal) return value as T;
    state = undefined;
    value = await read();
    state = now;
    isFinal = isSame;
    return value;
  };
}
