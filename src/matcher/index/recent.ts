/** Things made on demand, of which those not used for longest are forgotten. */
export class Recent<K, T> {
  private readonly items = new Map<K, T>();
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  has(key: K): boolean {
    return this.items.has(key);
  }

  get(key: K, make: () => T): T {
    const known = this.items.get(key);
    const item = known ?? make();
    if (known !== undefined) this.items.delete(key);
    this.items.set(key, item);
    if (this.items.size > this.most) this.items.delete(this.items.keys().next().value!);
    return item;
  }

  delete(key: K): void {
    this.items.delete(key);
  }
}
