/** A value and its size in bytes. */
interface Item<K, T> {
  readonly key: K;
  readonly thing: T;
  readonly size: number;
}

/**
 * A cache limited in bytes. Entries are evicted at random, so that some still hit when more are used in rotation than
 * fit.
 */
export class BoundedCache<K, T> {
  private readonly items: Item<K, T>[] = [];
  private readonly places = new Map<K, number>();
  private readonly max: number;
  private bytes = 0;
  private dice = 1;

  /** @param max in bytes */
  constructor(max: number) {
    this.max = max;
  }

  find(key: K): T | undefined {
    const place = this.places.get(key);
    return place === undefined ? undefined : this.items[place]!.thing;
  }

  /** Stores a value, unless it is too large to share the cache with others. */
  keep(key: K, thing: T, size: number): void {
    this.delete(key);
    if (size * 4 > this.max) return;
    while (this.bytes + size > this.max) this.dropAt(this.roll());
    this.places.set(key, this.items.push({ key, thing, size }) - 1);
    this.bytes += size;
  }

  delete(key: K): void {
    const place = this.places.get(key);
    if (place !== undefined) this.dropAt(place);
  }

  private dropAt(place: number): void {
    const { key, size } = this.items[place]!;
    const last = this.items.pop()!;
    if (last.key !== key) {
      this.items[place] = last;
      this.places.set(last.key, place);
    }
    this.places.delete(key);
    this.bytes -= size;
  }

  private roll(): number {
    this.dice = (Math.imul(this.dice, 1_103_515_245) + 12_345) >>> 0;
    return (this.dice >>> 8) % this.items.length;
  }
}
