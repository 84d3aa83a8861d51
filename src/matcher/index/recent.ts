/** Things made on demand, of which those not used for longest are forgotten. */
export class Recent<K, T> {
  private readonly items = new Map<K, T>();
  private readonly most: number;
  private readonly forgotten: (item: T) => void;

  constructor(most: number, forgotten: (item: T) => void = () => {}) {
    this.most = most;
    this.forgotten = forgotten;
  }

  has(key: K): boolean {
    return this.items.has(key);
  }

  /** Counts as a use. */
  find(key: K): T | undefined {
    const known = this.items.get(key);
    if (known === undefined) return undefined;
    this.items.delete(key);
    this.items.set(key, known);
    return known;
  }

  get(key: K, make: () => T): T {
    const known = this.items.get(key);
    const item = known ?? make();
    if (known !== undefined) this.items.delete(key);
    this.items.set(key, item);
    if (this.items.size > this.most) this.dropOldest();
    return item;
  }

  private dropOldest(): void {
    const [[key, item]] = this.items as Iterable<[K, T]> as [[K, T]];
    this.items.delete(key);
    this.forgotten(item);
  }

  delete(key: K): void {
    this.items.delete(key);
  }
}
