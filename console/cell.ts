import { useEffect, useState } from 'preact/hooks';

/** An observable value shared by any components. */
export interface Cell<T> {
  readonly value: T;
  set(value: T): void;
  watch(watcher: () => void): () => void;
}

export function cell<T>(initial: T): Cell<T> {
  const watchers = new Set<() => void>();
  let value = initial;
  return {
    get value() {
      return value;
    },
    set(next) {
      if (Object.is(value, next)) return;
      value = next;
      for (const watcher of [...watchers]) watcher();
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  };
}

/** The value of a cell; re-renders when it changes. */
export function useCell<T>(watched: Cell<T>): T {
  const [value, setValue] = useState(watched.value);
  useEffect(() => {
    setValue(() => watched.value);
    return watched.watch(() => setValue(() => watched.value));
  }, [watched]);
  return value;
}
