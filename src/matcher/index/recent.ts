/** Things made on demand, of which those not used for longest are forgotten. */
export class Recent<T> {
  private readonly items = new Map<number, T>();
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  has(key: number): boolean {
    return this.items.has(key);
  }

  get(key: number, make: () => T): T {
    const known = this.items.get(key);
    const item = known ?? make();
    if (known !== undefined) this.items.delete(key);
    this.items.set(key, item);
    if (this.items.size > this.most) this.items.delete(this.items.keys().next().value!);
    return item;
  }

  delete(key: number): void {
    this.items.delete(key);
  }
}
