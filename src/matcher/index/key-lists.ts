/** An entry of a table holds nothing, one key (the key itself), or a list (a negative number). */
export const NO_KEYS = 0;

const NONE: readonly number[] = [];

/** Sorted lists of keys, for the few entries shared by several patterns. */
export class KeyLists {
  private readonly lists: (number[] | undefined)[] = [];
  private readonly free: number[] = [];

  add(held: number, key: number): number {
    if (held === NO_KEYS) return key;
    if (held > 0) return this.create(held, key);
    insert(this.lists[~held]!, key);
    return held;
  }

  remove(held: number, key: number): number {
    if (held >= 0) return held === key ? NO_KEYS : held;
    const list = this.lists[~held]!;
    const at = lowerBound(list, key);
    if (list[at] === key) list.splice(at, 1);
    if (list.length > 1) return held;
    this.lists[~held] = undefined;
    this.free.push(~held);
    return list[0] ?? NO_KEYS;
  }

  has(held: number, key: number): boolean {
    if (held >= 0) return held === key;
    const list = this.lists[~held]!;
    return list[lowerBound(list, key)] === key;
  }

  /** The smallest key, or 0 if there is none. */
  first(held: number): number {
    return held >= 0 ? held : this.lists[~held]![0]!;
  }

  all(held: number): readonly number[] {
    if (held === NO_KEYS) return NONE;
    return held > 0 ? [held] : this.lists[~held]!;
  }

  private create(one: number, other: number): number {
    const list = one < other ? [one, other] : [other, one];
    const at = this.free.pop() ?? this.lists.length;
    this.lists[at] = list;
    return ~at;
  }
}

function insert(list: number[], key: number): void {
  if (key > list[list.length - 1]!) list.push(key);
  else list.splice(lowerBound(list, key), 0, key);
}

function lowerBound(list: readonly number[], key: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
