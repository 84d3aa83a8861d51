import type { Store } from '../../model/store.ts';

/**
 * What the counters and the usage of projects depend on, as a text: the last event, which the usage of all projects knows.
 * Undefined while something is changing them.
 */
export async function stateOfProjects({
  events,
  usage,
}: Pick<Store, 'events' | 'usage'>): Promise<string | undefined> {
  // The end of a zone that is being removed is no event.
  if ((await usage.isLeaving()) || (await events.isWaiting())) return undefined;
  const { position } = await events.head();
  return (await usage.lastPass()) === position ? String(position) : undefined;
}

/**
 * Reads a value again only if the state of what it depends on has changed. It reads twice in one state: the first time, a pass
 * over the usage may still be writing.
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
